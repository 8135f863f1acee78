import { lookup } from 'mime-types';

/** MIME type by file name; `application/octet-stream` when unknown. */
export function contentTypeOf(fileName: string): string {
  return lookup(fileName) || 'application/octet-stream';
}
