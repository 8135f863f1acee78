import { formatMessage, type Message, message } from './messages.ts';

/**
 * Every way an operation can fail, and the only table from an error code to its HTTP status.
 * Services throw {@link AppError}; adapters turn it into a reply with a string `detail`.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  /** The password is right, and a code of the second factor is missing. */
  second_factor_required: 401,
  forbidden: 403,
  feature_disabled: 403,
  not_found: 404,
  /** The address exists, but not with this method. */
  method_not_allowed: 405,
  conflict: 409,
  /** Files of the dataset are damaged. */
  damaged: 409,
  too_large: 413,
  invalid_input: 422,
  too_many_requests: 429,
  internal: 500,
  storage_failed: 500,
  unavailable: 503,
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A failure that a person reads: its message is plain English without stacks, secrets or local paths. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The message as data, for decisions and translations. */
  readonly reason: Message;
  readonly fields: Record<string, string> | undefined;

  /** @param fields For `invalid_input`: what was expected of each named field. */
  constructor(code: ErrorCode, reason: Message, fields?: Record<string, string>) {
    super(formatMessage(reason));
    this.name = 'AppError';
    this.code = code;
    this.reason = reason;
    this.fields = fields;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

export const DISK_FULL = message('disk_full');
/** Codes of the system and of SQLite for a full disk. SHMSIZE: no room for the index of a write-ahead log. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'];

/** Whether an error means that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'disk_full';
  return error instanceof Error && 'code' in error && NO_ROOM.includes(String(error.code));
}

/** The wire form of a failure, the same over HTTP and IPC. */
export interface ErrorBody {
  detail: string;
  code: ErrorCode;
  /** The detail as data, where the catalogue of messages has a code for it. */
  reason?: Message;
  fields?: Record<string, string>;
}

export function errorBody({ message: detail, code, reason, fields }: AppError): ErrorBody {
  return { detail, code, ...(reason.code !== 'as_written' && { reason }), ...(fields && { fields }) };
}

/** An `invalid_input` error about one field. @param problem What is wrong with the field, or what was expected of it. */
export function invalidField(field: string, problem: Message): AppError {
  return new AppError('invalid_input', message('field_invalid', { field, problem }), {
    [field]: formatMessage(problem),
  });
}

/** An error as a message for people; those that are no {@link AppError} are explained by the log alone. */
export function reasonOf(error: unknown): Message {
  return error instanceof AppError ? error.reason : message('unforeseen');
}
