import { vi } from 'vitest';
import {
  type Arguments,
  type CallableOperationId,
  contract,
  type Input,
  isOperationId,
  type OperationId,
  type Output,
  operations,
} from '../../src-main/contract/contract.ts';
import { AppError, errorBody } from '../../src-main/contract/errors.ts';
import type { AppEvent } from '../../src-main/contract/events.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { pathParameters } from '../../src-main/contract/operation.ts';

const BASE = '/api/v1';

/**
 * Responses by operation. Inputs and outputs have the contract's types and are parsed with its schemas. A response throws AppError to
 * refuse.
 */
export type Answers = {
  [Id in CallableOperationId]?: (input: Input<Id>) => Output<Id> | Promise<Output<Id>>;
};

/**
 * Replaces the network of a page: `fetch` is answered by the contract's operations, and `EventSource` sends the events that a test emits.
 */
export class FakeServer {
  readonly calls: { operation: OperationId; input: Readonly<Record<string, unknown>> }[] = [];
  #answers: Answers = {};
  readonly #streams = new Set<FakeEventSource>();

  /** Adds responses, which replace previous ones of the same operations. */
  answer(answers: Answers): this {
    this.#answers = { ...this.#answers, ...answers };
    return this;
  }

  /** Inputs of the calls of one operation, in order. */
  inputsOf<Id extends CallableOperationId>(operation: Id): Arguments<Id>[] {
    return this.calls.filter((call) => call.operation === operation).map(({ input }) => input as Arguments<Id>);
  }

  emit(event: AppEvent): void {
    for (const stream of this.#streams) stream.send(event);
  }

  install(): void {
    const streams = this.#streams;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => this.#fetch(url, init));
    vi.stubGlobal(
      'EventSource',
      class extends FakeEventSource {
        constructor() {
          super();
          streams.add(this);
        }
      },
    );
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const found = findOperation(init.method ?? 'GET', pathname);
    if (found === undefined)
      return refusal(new AppError('not_found', asWritten(`No operation at ${init.method} ${pathname}`)));
    const { operation, parameters } = found;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const sent = { ...Object.fromEntries(searchParams), ...formFields(init.body), ...body, ...parameters };
    this.calls.push({ operation, input: sent });
    const answer = this.#answers[operation as CallableOperationId] as ((input: unknown) => unknown) | undefined;
    if (answer === undefined)
      return refusal(new AppError('internal', asWritten(`The test has no answer for ${operation}`)));
    try {
      const output = await answer(contract[operation].input.parse(sent));
      return reply(operation, contract[operation].output.parse(output));
    } catch (error) {
      if (error instanceof AppError) return refusal(error);
      throw error;
    }
  }
}

function findOperation(
  method: string,
  pathname: string,
): { operation: OperationId; parameters: Record<string, string> } | undefined {
  const matches = Object.entries(operations).flatMap(([id, spec]) => {
    if (!isOperationId(id) || spec.method !== method) return [];
    const names = pathParameters(spec.path);
    const pattern = new RegExp(`^${BASE}${spec.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
    const values = pattern.exec(pathname)?.slice(1);
    if (values === undefined) return [];
    const parameters = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')]));
    return [{ operation: id, parameters, n: names.length }];
  });
  // A fixed path takes precedence over one with parameters.
  return matches.toSorted((a, b) => a.n - b.n)[0];
}

function formFields(body: RequestInit['body']): Record<string, unknown> {
  return body instanceof FormData ? Object.fromEntries(body) : {};
}

function reply(operation: OperationId, output: unknown): Response {
  const { reply: kind, status } = operations[operation];
  if (kind === 'empty') return new Response(null, { status: status === 200 ? 204 : status });
  return new Response(kind === 'text' ? String(output) : JSON.stringify(output), { status });
}

function refusal(error: AppError): Response {
  return new Response(JSON.stringify(errorBody(error)), { status: error.status });
}

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;

  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event('open')));
  }

  send({ name, data }: AppEvent): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}
