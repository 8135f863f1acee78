import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '../../../contract/errors.ts';
import { readJsonLists } from '../../annotations/json-lists.ts';

/** A row as it was uploaded. */
export interface ValueRow {
  media_id?: unknown;
  /** Instead of an id: the name of the file, as annotations name it. */
  file_key?: string;
  value: unknown;
  /** Has no value, which is no error. */
  is_empty?: true;
  /** Why it is of no use. */
  problem?: string;
}

const ROWS = 'rows';
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The rows of a JSON array of `{media_id, value}` one batch after the other, with flat memory.
 * @param onShare Gets how much of the file was read, 0 to 1.
 * @throws AppError `invalid_request` from where on it is no such array; whatever the file system says.
 */
export async function* readValueRows(path: string, onShare: (share: number) => void): AsyncGenerator<ValueRow[]> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  const seen = new Set<string>();
  try {
    for await (const items of readJsonLists(
      asObject(file, (bytes) => onShare(bytes / size)),
      new Set([ROWS]),
      seen,
    )) {
      yield items.map(({ value }) => asRow(value));
    }
  } finally {
    file.destroy();
  }
  if (!seen.has(ROWS)) throw new AppError('invalid_request', 'The file is not a JSON array');
}

/** The array as the one list of an object, which is what large JSON is read as. */
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

function asRow(item: unknown): ValueRow {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return { media_id: undefined, value: undefined, problem: 'the row is not an object with media_id and value' };
  }
  const { media_id, value } = item as Partial<ValueRow>;
  return { media_id, value };
}
