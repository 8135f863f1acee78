import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

export interface S3Location {
  bucket: string;
  /** The key of an object or the prefix of a folder; empty for the whole bucket. */
  key: string;
}

const MAX_KEY_BYTES = 1024;

export function badS3Uri(): AppError {
  return new AppError('invalid_request', message('bad_storage_path'));
}

/**
 * Splits `s3://bucket/key`. Keys are taken literally, without percent-decoding.
 * @throws AppError `invalid_request`.
 */
export function parseS3Uri(uri: string): S3Location {
  const location = findS3Location(uri);
  if (!location) throw badS3Uri();
  return location;
}

export function isS3Uri(uri: string): boolean {
  return findS3Location(uri) !== undefined;
}

function findS3Location(uri: string): S3Location | undefined {
  const match = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/(.*))?$/is.exec(uri.trim());
  const bucket = match?.[1];
  const key = match?.[2] ?? '';
  if (bucket === undefined || bucket.includes('..')) return undefined;
  if (key.includes('\0') || !key.isWellFormed() || Buffer.byteLength(key) > MAX_KEY_BYTES) return undefined;
  return { bucket, key };
}
