/**
 * Every way an operation can fail, and the only table from an error code to its HTTP status.
 * Services throw {@link AppError}; adapters turn it into a reply with a string `detail`.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  feature_disabled: 403,
  not_found: 404,
  /** The address exists, but not with this method. */
  method_not_allowed: 405,
  conflict: 409,
  /** The dataset is not on the disk as it was written. */
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

/** A failure meant to be read by a person: `detail` is plain English without stacks, secrets or local paths. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  /** @param fields For `invalid_input`: what was expected of each named field. */
  constructor(code: ErrorCode, detail: string, fields?: Record<string, string>) {
    super(detail);
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** What is said wherever there is no room. */
export const DISK_FULL = 'The disk that holds the data folder is full. Free some space and try again.';
/** How the system and SQLite say it; SHMSIZE: there is no room for the index of a write-ahead log. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'];

/** Whether something failed because a disk is full, in whatever way that is told. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'disk_full';
  return error instanceof Error && 'code' in error && NO_ROOM.includes(String(error.code));
}

/** The interface's sentence for every bad storage path. */
export const BAD_STORAGE_PATH = 'Invalid S3 URI or no media files found at the given uri';

/** The wire form of a failure, the same over HTTP and IPC. */
export interface ErrorBody {
  detail: string;
  code: ErrorCode;
  fields?: Record<string, string>;
}

export function errorBody(error: AppError): ErrorBody {
  return error.fields === undefined
    ? { detail: error.message, code: error.code }
    : { detail: error.message, code: error.code, fields: error.fields };
}
