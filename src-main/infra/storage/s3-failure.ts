import { AppError } from '../../contract/errors.ts';
import { type MessageCode, message } from '../../contract/messages.ts';
import { badS3Uri } from './s3-uri.ts';

/** Type of the failed request. It decides what "not found" and "refused" mean. */
export type S3Request = 'list' | 'read' | 'fetch' | 'store' | 'assume_role';

const BAD_LOCATION = new Set(['NoSuchBucket', 'InvalidBucketName', 'PermanentRedirect', 'KeyTooLongError']);
const BAD_CREDENTIALS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidToken',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'TokenRefreshRequired',
  'AuthorizationHeaderMalformed',
]);
const BUSY = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'ThrottlingException',
  'RequestLimitExceeded',
]);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
]);

/** Converts an SDK error to a sentence for the user. The SDK's own message is never included: it names keys, accounts and hosts. */
export function s3Failure(error: unknown, request: S3Request): AppError {
  if (error instanceof AppError) return error;
  const name = error instanceof Error ? error.name : '';
  const code = textOf(error, 'code');
  const status = statusOf(error);
  if (request === 'assume_role' && (status === 403 || status === 400 || status === 401)) {
    return failed('storage_role_refused');
  }
  if (BAD_LOCATION.has(name)) return badS3Uri();
  if (BAD_CREDENTIALS.has(name) || status === 401) return failed('storage_credentials_refused');
  if (name === 'InvalidObjectState') return failed('storage_object_archived');
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return failed('no_storage_credentials');
  }
  if (name === 'AccessDenied' || status === 403) return failed('storage_access_refused');
  if (name === 'NoSuchKey' || status === 404) {
    return request === 'fetch' ? new AppError('not_found', message('storage_object_gone')) : badS3Uri();
  }
  if (status === 301 || status === 307) return badS3Uri();
  if (BUSY.has(name) || status === 429 || status >= 500) return failed('storage_busy');
  if (name === 'TimeoutError' || UNREACHABLE.has(code)) return failed('storage_unreachable');
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return failed('storage_untrusted');
  return failed('storage_not_understood');
}

/** HTTP status of an SDK error; 0 when there was no response. */
export function statusOf(error: unknown): number {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0;
  return typeof status === 'number' ? status : 0;
}

function textOf(error: unknown, field: 'code'): string {
  return error instanceof Error && field in error ? String(error[field as keyof Error]) : '';
}

type FailureCode = Extract<MessageCode, `storage_${string}`> | 'no_storage_credentials';

function failed(code: FailureCode): AppError {
  return new AppError('storage_failed', message(code));
}
