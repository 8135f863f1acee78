import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { badS3Uri } from './s3-uri.ts';

/** Type of the failed request. It decides what "not found" and "refused" mean. */
export type S3Request = 'list' | 'read' | 'fetch' | 'assume_role';

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
    return failed('The role could not be assumed: the credentials may not take it or it does not exist');
  }
  if (BAD_LOCATION.has(name)) return badS3Uri();
  if (BAD_CREDENTIALS.has(name) || status === 401) return failed('The object storage refused the credentials');
  if (name === 'InvalidObjectState')
    return failed('The object is archived and has to be restored before it can be read');
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return failed(message('no_storage_credentials'));
  }
  if (name === 'AccessDenied' || status === 403) {
    return failed('The object storage refused access: the credentials may not read there');
  }
  if (name === 'NoSuchKey' || status === 404) {
    return request === 'fetch' ? new AppError('not_found', 'The object is no longer there') : badS3Uri();
  }
  if (status === 301 || status === 307) return badS3Uri();
  if (BUSY.has(name) || status === 429 || status >= 500) return failed('The object storage is busy or out of order');
  if (name === 'TimeoutError' || UNREACHABLE.has(code)) return failed('The object storage cannot be reached');
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return failed('The certificate of the object storage is not trusted');
  return failed('The object storage gave an answer that was not understood');
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

function failed(detail: string | Message): AppError {
  return new AppError('storage_failed', detail);
}
