import type { FastifyReply } from 'fastify';
import { AppError, DISK_FULL, type ErrorBody, errorBody, isDiskFull } from '../contract/errors.ts';
import { asWritten, message } from '../contract/messages.ts';
import type { OperationSpec } from '../contract/operation.ts';
import type { Log } from '../core/ports/log.ts';

/** Time in seconds after which a client may try again, unless the message of the error says a longer one. */
const RETRY_AFTER_S = 1;
/** As {@link RETRY_AFTER_S}, for a client that waits for the end of a task. */
const RETRY_AFTER_TASK_S = 30;

/** Sends a failure: a JSON object with a string `detail`, and never a stack. */
export function sendError(reply: FastifyReply, caught: unknown, log: Log, operation?: OperationSpec): FastifyReply {
  const error = asAppError(caught, log);
  const body: ErrorBody & { status?: 'error'; message?: string } = errorBody(error);
  if (operation?.creation) Object.assign(body, { status: 'error', message: error.message });
  if (error.code === 'too_many_requests') {
    reply.header('Retry-After', error.reason.code === 'too_many_tasks' ? RETRY_AFTER_TASK_S : RETRY_AFTER_S);
  }
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function asAppError(caught: unknown, log: Log): AppError {
  if (caught instanceof AppError) return caught;
  // The disk filled up while a request body was written.
  if (isDiskFull(caught)) return new AppError('disk_full', DISK_FULL);
  const code = caught instanceof Error && 'code' in caught ? String(caught.code) : '';
  const status = caught instanceof Error && 'statusCode' in caught ? Number(caught.statusCode) : 500;
  if (caught instanceof SyntaxError || code === 'FST_ERR_CTP_INVALID_JSON_BODY') {
    return new AppError('invalid_input', message('body_not_json'));
  }
  // The static file server answers 403 for addresses outside its folder.
  if (status === 403 || status === 404) return new AppError('not_found', message('address_unknown'));
  if (status === 413) return new AppError('too_large', message('request_too_large'));
  if (status >= 400 && status < 500 && caught instanceof Error)
    return new AppError('invalid_input', asWritten(caught.message));
  log.error({ err: caught }, 'request failed');
  return new AppError('internal', message('unforeseen'));
}
