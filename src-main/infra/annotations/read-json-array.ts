import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { readJsonLists } from './json-lists.ts';

const ROWS = 'rows';
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Yields the items of a file with one JSON array in batches, with constant memory.
 * @param onShare Receives the share of the file that was read, 0 to 1.
 * @throws AppError `invalid_request` where the file stops being an array; errors of the file system.
 */
export async function* readJsonArray(
  path: string,
  onShare: (share: number) => void = () => undefined,
): AsyncGenerator<unknown[]> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  const seen = new Set<string>();
  try {
    for await (const items of readJsonLists(
      asObject(file, (bytes) => onShare(bytes / size)),
      new Set([ROWS]),
      seen,
    )) {
      yield items.map(({ value }) => value);
    }
  } finally {
    file.destroy();
  }
  if (!seen.has(ROWS)) throw new AppError('invalid_request', message('values_not_array'));
}

/** Wraps the array as the only list of an object, the form that the reader of large JSON files expects. */
async function* asObject(file: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"${ROWS}":`);
  let nBytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    const isMarked = nBytes === 0 && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    nBytes += chunk.length;
    onBytes(nBytes);
    yield isMarked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
  }
  yield Buffer.from('}');
}
