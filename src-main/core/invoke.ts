import type { z } from 'zod';
import { isOperationId, operations } from '../contract/contract.ts';
import { AppError, ERROR_STATUS } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { OperationSpec } from '../contract/operation.ts';
import { PERMISSION_SCOPES } from '../contract/permissions.ts';
import { type AccessService, SUBJECT_FIELDS } from './access/access.service.ts';
import type { CallContext } from './core.ts';
import type { Handlers } from './handlers.ts';
import { JsonResult } from './json-result.ts';
import type { Log } from './ports/log.ts';
import { noteSlowCall } from './ports/slow-calls.ts';
import type { SettingsService } from './settings/settings.service.ts';
import { WorkBudget } from './work-budget.ts';

type AnyHandler = (context: CallContext, input: unknown) => unknown;

/** Permission → feature flag → validation → handler → error normalising → timing. Every call of every transport goes through here. */
export class Invoker {
  readonly #handlers: Handlers;
  readonly #access: AccessService;
  readonly #settings: SettingsService;
  readonly #budget: WorkBudget;
  readonly #log: Log;
  readonly #giveWay: () => () => void;
  readonly #normalise: (error: unknown) => unknown;

  /**
   * @param giveWay Makes background jobs give way until the returned function is called.
   * @param normalise Converts known external failures (a full disk) to an AppError; returns other errors unchanged.
   */
  constructor(
    handlers: Handlers,
    access: AccessService,
    settings: SettingsService,
    log: Log,
    giveWay: () => () => void,
    normalise: (error: unknown) => unknown,
  ) {
    this.#handlers = handlers;
    this.#access = access;
    this.#settings = settings;
    this.#budget = new WorkBudget(settings);
    this.#log = log;
    this.#giveWay = giveWay;
    this.#normalise = normalise;
  }

  async invoke(operationId: string, input: unknown, context: CallContext): Promise<unknown> {
    const started = performance.now();
    let leave: (() => void) | undefined;
    let goOn: (() => void) | undefined;
    try {
      if (!isOperationId(operationId)) throw new AppError('not_found', message('operation_unknown'));
      const operation = operations[operationId];
      leave = this.#budget.enter(context.principal);
      const authorised = await this.#access.authorise(operation.permission, subjectOf(operation, input), context);
      if (operation.feature !== undefined && !this.#settings.isOn(operation.feature)) {
        throw new AppError('feature_disabled', message(operation.featureOffReason ?? 'feature_off'));
      }
      const parsed = parseInput(operation, input);
      if (operation.forScreen) goOn = this.#giveWay();
      const handler = this.#handlers[operationId] as AnyHandler;
      const result = await handler(authorised, parsed);
      return result instanceof JsonResult && !context.takesJson ? result.parse() : result;
    } catch (caught) {
      throw this.#asAppError(operationId, caught);
    } finally {
      leave?.();
      goOn?.();
      noteSlowCall(this.#log, operationId, performance.now() - started);
    }
  }

  #asAppError(operationId: string, caught: unknown): AppError {
    const error = this.#normalise(caught);
    const isExplained = error instanceof AppError;
    if (!isExplained || error.status === ERROR_STATUS.internal) {
      this.#log.error({ operation_id: operationId, err: error }, 'operation failed');
    }
    if (isExplained) return error;
    return new AppError('internal', message('unforeseen'));
  }
}

/**
 * The id of the dataset, task or workspace that the operation's permission applies to, if any. It is read first, so that a caller who may
 * not see the object learns nothing about the rest of the input.
 * @throws AppError `invalid_input` if the input does not name the object properly.
 */
function subjectOf(operation: OperationSpec, input: unknown): string | undefined {
  const name = SUBJECT_FIELDS[PERMISSION_SCOPES[operation.permission]];
  const field = name === undefined ? undefined : operation.input.shape[name];
  if (name === undefined || field === undefined) return undefined;
  const named = field.safeParse(Object(input)[name]);
  if (!named.success) parseInput(operation, input);
  return named.data;
}

/** @throws AppError `invalid_input` naming each invalid field and what is expected of it. */
function parseInput(operation: OperationSpec, input: unknown): unknown {
  const result = operation.input.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const fields = Object.fromEntries(
    result.error.issues.map((issue) => [issue.path.join('.') || 'body', explain(issue)]),
  );
  const problems = Object.entries(fields).map(([field, problem]) => message('field_invalid', { field, problem }));
  throw new AppError('invalid_input', message('fields_invalid', { problems }), fields);
}

function explain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
  return issue.message.replace(/^Invalid input: /, '');
}
