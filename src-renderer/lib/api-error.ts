import type { ErrorBody, ErrorCode } from '../../src-main/contract/errors.ts';
import type { MessageCode } from '../../src-main/contract/messages.ts';
import { messageText } from './message-text.ts';

/** `unreachable`: no response. */
export type ApiErrorCode = ErrorCode | 'unreachable';

/** A failed call. `detail` is a text for display, in the language of the page where the server sent a message code. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly detail: string;
  /** For `invalid_input`: the expected value of each invalid field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Code of the message, where the server sent one. */
  readonly reason: MessageCode | undefined;

  constructor(
    code: ApiErrorCode,
    detail: string,
    fields: Readonly<Record<string, string>> = {},
    reason: MessageCode | undefined = undefined,
  ) {
    super(detail);
    this.name = 'ApiError';
    this.code = code;
    this.detail = detail;
    this.fields = fields;
    this.reason = reason;
  }

  /** Whether the same call may succeed a moment later. */
  get transient(): boolean {
    return this.code === 'unreachable' || this.code === 'unavailable' || this.code === 'internal';
  }
}

/** Converts anything thrown to an ApiError. */
export function asApiError(failure: unknown): ApiError {
  return failure instanceof ApiError ? failure : new ApiError('internal', String(failure));
}

export function errorFromBody(body: ErrorBody): ApiError {
  return new ApiError(body.code, body.reason ? messageText(body.reason) : body.detail, body.fields, body.reason?.code);
}
