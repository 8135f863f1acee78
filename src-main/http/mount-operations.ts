import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../contract/contract.ts';
import { AppError } from '../contract/errors.ts';
import type { StreamedEvent } from '../contract/events.ts';
import { message } from '../contract/messages.ts';
import { maxBodyBytes, type OperationSpec, type RedirectReply } from '../contract/operation.ts';
import type { FileSlice, MadeFile } from '../contract/operations/media.ts';
import { isForAnyone } from '../contract/permissions.ts';
import type { CallContext, Core } from '../core/core.ts';
import { JsonResult } from '../core/json-result.ts';
import type { Log } from '../core/ports/log.ts';
import { withRequestId } from '../core/ports/request-id.ts';
import { callerOf, keepSession, loginOf, principalOf, requirePrincipal, sendRedirect } from './authenticate.ts';
import { sendError } from './error-reply.ts';
import { sendEventStream } from './event-stream.ts';
import { sendFile, sendMade } from './file-reply.ts';
import { Heartbeat } from './heartbeat.ts';
import { type FormInput, readForm } from './read-form.ts';
import { readJsonFile, streamJsonBodies } from './read-json-file.ts';
import { routeOf } from './route-path.ts';

export interface MountOptions {
  core: Core;
  log: Log;
  temporaryFolder: string;
  /** Maximum size of a body that is spooled as a file. */
  maxFileBytes: number;
}

interface Parts extends MountOptions {
  heartbeat: Heartbeat;
  /** Aborted when the server closes: streams of events, which have no end of their own, end then. */
  closing: AbortSignal;
}

/** Mounts every operation of the contract below `/api/v1`. */
export async function mountOperations(server: FastifyInstance, options: MountOptions): Promise<void> {
  const all = Object.entries<OperationSpec>(operations);
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  const parts = { ...options, heartbeat: new Heartbeat(), closing: closing.signal };
  for (const [id, operation] of all) if (operation.jsonFile === undefined) mount(server, id, operation, parts);
  await server.register(async (scope) => {
    streamJsonBodies(scope);
    for (const [id, operation] of all) if (operation.jsonFile !== undefined) mount(scope, id, operation, parts);
  });
}

function mount(server: FastifyInstance, operationId: string, operation: OperationSpec, options: Parts): void {
  mountMethod(server, operationId, operation, options);
  if (operation.alsoByPost) mountMethod(server, operationId, { ...operation, method: 'POST', body: 'json' }, options);
}

function mountMethod(server: FastifyInstance, operationId: string, operation: OperationSpec, options: Parts): void {
  server.route({
    // One route for both: Fastify's own route for HEAD takes as long to make as the one for GET, a tenth of the CPU time of a start in all.
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    exposeHeadRoute: false,
    url: routeOf(operation.path),
    bodyLimit: maxBodyBytes(operation),
    config: { operationId },
    // Runs before the body is read, so nothing is received from unauthenticated callers.
    ...(!isForAnyone(operation.permission) && { onRequest: requirePrincipal(options.core) }),
    handler: (request, reply) =>
      withRequestId(request.id, () => answer(operationId, operation, request, reply, options)),
    // Handles failures before the handler, such as an unreadable body.
    errorHandler: (error, _request, reply) => sendError(reply, error, options.log, operation),
  });
}

async function answer(
  operationId: string,
  operation: OperationSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Parts,
): Promise<FastifyReply> {
  const { core, log, heartbeat, closing } = options;
  const connection = abortOnDisconnect(reply);
  const principal = principalOf(request);
  const context: CallContext = {
    ...callerOf(request),
    principal,
    signal: connection.signal,
    baseUrl: `${request.protocol}://${request.host}`,
    takesJson: true,
  };
  let form: FormInput | undefined;
  try {
    assertBodyKind(request, operation);
    form = await readFiles(request, operation, options);
    const answered = await core.invoke(operationId, collectInput(request, operation, form), context);
    const result = operation.session === undefined ? answered : keepSession(reply, operation.session, answered);
    if (operation.reply === 'stream') {
      closing.addEventListener('abort', () => connection.abort(), { once: true, signal: connection.signal });
      const mayListen = () => core.isSignedIn(principal);
      const events = result as AsyncIterable<StreamedEvent>;
      return sendEventStream(reply, events, { heartbeat, connection, mayListen, log });
    }
    return await send(request, reply, operation, result);
  } catch (error) {
    return sendError(reply, error, log, operation);
  } finally {
    await form?.discard();
  }
}

/**
 * Rejects forms for JSON operations: pages of other sites may send forms without a CORS preflight.
 * @throws AppError `invalid_input` for a form.
 */
function assertBodyKind(request: FastifyRequest, operation: OperationSpec): void {
  if (operation.body !== 'json' || operation.jsonFile !== undefined) return;
  const type = request.headers['content-type'] ?? '';
  if (request.isMultipart() || type.startsWith('application/x-www-form-urlencoded')) {
    throw new AppError('invalid_input', message('json_body_required'));
  }
}

/** Reads the form or the JSON file of a request; undefined for a request without either. */
async function readFiles(
  request: FastifyRequest,
  operation: OperationSpec,
  { temporaryFolder, maxFileBytes }: MountOptions,
): Promise<FormInput | undefined> {
  if (request.isMultipart()) return readForm(request, operation, temporaryFolder);
  const { jsonFile } = operation;
  if (jsonFile === undefined || !(request.body instanceof Readable)) return undefined;
  return readJsonFile(request.body, jsonFile, { temporaryFolder, maxBytes: maxFileBytes });
}

/**
 * Merges query string, `Last-Event-ID`, body and path parameters. Later sources win, so a body cannot replace the ids in the path.
 * Files come from forms only: a JSON body cannot name a file on this machine and have it moved.
 */
function collectInput(request: FastifyRequest, operation: OperationSpec, form: FormInput | undefined): unknown {
  const sent = typeof request.body === 'object' ? request.body : null;
  const body: Record<string, unknown> = form?.fields ?? { ...sent };
  if (!form) for (const field of Object.keys(operation.files ?? {})) delete body[field];
  const lastEventId = operation.reply === 'stream' ? request.headers['last-event-id'] : undefined;
  const resumed = lastEventId === undefined ? {} : { last_event_id: lastEventId };
  const login = operation.reply === 'redirect' ? { login_id: loginOf(request) } : {};
  return { ...(request.query as object), ...resumed, ...body, ...login, ...(request.params as object) };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  operation: OperationSpec,
  result: unknown,
): FastifyReply | Promise<FastifyReply> {
  reply.code(operation.status);
  if (operation.reply === 'file') {
    const file = result as FileSlice | MadeFile;
    return 'bytes' in file ? sendMade(request, reply, file) : sendFile(request, reply, file);
  }
  if (operation.reply === 'redirect') return sendRedirect(reply, result as RedirectReply);
  if (operation.reply === 'empty') return reply.send();
  if (operation.reply === 'text') return reply.type('text/plain; charset=utf-8').send(result);
  // Sent as bytes: Node would allocate three times the size of a text and copy it twice.
  const json =
    result instanceof JsonResult
      ? Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength)
      : Buffer.from(JSON.stringify(operation.reply === 'null' ? null : result));
  return reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(json);
}

function abortOnDisconnect(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller;
}
