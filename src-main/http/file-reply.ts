import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { FileSlice, MadeFile } from '../contract/operations/media.ts';

/** The bytes behind a signed address never change, so clients may cache them. */
const CACHE_CONTROL = 'private, max-age=86400, immutable';

/** Streams a slice of a file with ETag, one byte range and cache headers. @throws AppError `not_found` when the file is gone. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, slice: FileSlice): Promise<FastifyReply> {
  if (slice.is_temporary) reply.raw.once('close', () => void rm(slice.path, { force: true }));
  const checked = await readChecked(slice);
  const size = checked?.length ?? (await sliceSize(slice));
  reply.headers(headersOf(slice)).header('Accept-Ranges', 'bytes');
  if (isKnown(request, slice)) return reply.code(304).send();

  const range = requestedRange(request, slice, size);
  if (range === 'unsatisfiable') {
    return reply
      .code(416)
      .header('Content-Range', `bytes */${size}`)
      .header('Cache-Control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ detail: 'The range is outside the file' }));
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`);
  reply.header('Content-Length', end - start + 1);
  if (request.method === 'HEAD' || size === 0) return reply.send();
  if (checked) return reply.send(checked.subarray(start, end + 1));
  return reply.send(createReadStream(slice.path, { start: slice.offset + start, end: slice.offset + end }));
}

/** Sends bytes that were created for this call. */
export function sendMade(request: FastifyRequest, reply: FastifyReply, made: MadeFile): FastifyReply {
  reply.headers(headersOf(made));
  if (isKnown(request, made)) return reply.code(304).send();
  const { buffer, byteOffset, byteLength } = made.bytes;
  return reply.send(Buffer.from(buffer, byteOffset, byteLength));
}

type Headed = Pick<FileSlice, 'content_type' | 'file_name' | 'etag' | 'is_attachment' | 'is_temporary'>;

function headersOf({ content_type, file_name, etag, is_attachment, is_temporary }: Headed) {
  const plain = file_name.replace(/[^\x20-\x7e]|["%\\]/g, '_');
  const coded = encodeURIComponent(file_name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return {
    'Content-Type': content_type,
    'Content-Disposition': is_attachment
      ? `attachment; filename="${plain}"; filename*=UTF-8''${coded}`
      : `inline; filename*=UTF-8''${coded}`,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': is_temporary ? 'no-store' : CACHE_CONTROL,
    ETag: etag,
  };
}

async function sliceSize(slice: FileSlice): Promise<number> {
  try {
    const { size } = await stat(slice.path);
    const length = slice.length ?? size - slice.offset;
    if (slice.offset + length <= size) return length;
  } catch {
    // A file that has been deleted is answered as not found.
  }
  throw notThere();
}

/**
 * Reads a slice and checks it against its checksum; undefined for a slice without a checksum.
 * @throws AppError `not_found` when the bytes do not match the checksum.
 */
async function readChecked({ path, offset, length, crc32: expected }: FileSlice): Promise<Buffer | undefined> {
  if (expected === null || length === null) return undefined;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) throw notThere();
  const bytes = Buffer.alloc(length);
  try {
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    if (bytesRead < length) throw notThere();
  } finally {
    await file.close();
  }
  if (crc32(bytes) === expected) return bytes;
  throw new AppError('not_found', message('stored_file_damaged'));
}

function notThere(): AppError {
  return new AppError('not_found', message('original_moved'));
}

/** RFC 9110, section 13.1.2: any tag of the list may match; weak tags match like strong ones. */
function isKnown(request: FastifyRequest, { etag }: { etag: string }): boolean {
  const tags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag);
}

function requestedRange(
  request: FastifyRequest,
  slice: FileSlice,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  const ifRange = request.headers['if-range'];
  if (header === undefined || (ifRange !== undefined && ifRange !== slice.etag)) return undefined;
  // A suffix range may be longer than the file (RFC 9110, section 14.1.2); the library rejects that.
  const fitting = header.replace(
    /([=,]\s*)-(\d+)/g,
    (_all, before, last) => `${before}-${Math.min(Number(last), size)}`,
  );
  const ranges = parseRange(size, fitting, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
