import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

export const TAR_BLOCK_BYTES = 512;

/** The used fields of a tar header block (POSIX.1-2024, pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format"). */
export interface TarHeader {
  name: string;
  size_bytes: number;
  /** Type flag as stored; `0` for the NUL of old archives. */
  type: string;
}

/**
 * Decodes a header block.
 * @param block One block of {@link TAR_BLOCK_BYTES}.
 * @returns null for a block of zeros, which ends an archive.
 * @throws AppError `invalid_request` when the checksum or size is invalid.
 */
export function decodeTarHeader(block: Buffer): TarHeader | null {
  const sum = checksum(block);
  if (sum === 8 * 0x20) return null;
  if (number(block, 148, 8) !== sum) throw damaged();
  const sizeBytes = number(block, 124, 12);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw damaged();
  const flag = block.toString('latin1', 156, 157);
  const type = flag === '\0' ? '0' : flag;
  const name = text(block, 0, 100);
  // GNU tar stores times in the field where POSIX stores the start of a long name; the magic number distinguishes them.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? text(block, 345, 155) : '';
  return { name: prefix === '' ? name : `${prefix}/${name}`, size_bytes: sizeBytes, type };
}

/** Whether a block is an entry's header with a valid checksum, or the zeros that end an empty archive. */
export function isTarHeader(block: Buffer): boolean {
  const sum = checksum(block);
  return sum === 8 * 0x20 || number(block, 148, 8) === sum;
}

/**
 * Decodes the records of an extended header: `<length> <key>=<value>\n` each, where length counts the whole record in bytes.
 * @throws AppError `invalid_request` for malformed records.
 */
export function decodePaxRecords(data: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < data.length && data[at] !== 0; ) {
    const space = data.indexOf(' ', at);
    const length = space < 0 ? Number.NaN : Number(data.toString('latin1', at, space));
    const equals = data.indexOf('=', space);
    const end = at + length;
    if (!Number.isSafeInteger(length) || end > data.length || equals < 0 || equals >= end || end <= space)
      throw damaged();
    records.set(data.toString('utf8', space + 1, equals), data.toString('utf8', equals + 1, end - 1));
    at = end;
  }
  return records;
}

/** Decodes a name up to its first NUL: as UTF-8 if valid, otherwise as Latin-1. */
export function text(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  const bytes = end < 0 ? field : field.subarray(0, end);
  const decoded = bytes.toString('utf8');
  return decoded.includes('\ufffd') ? bytes.toString('latin1') : decoded;
}

/** Sums up all bytes, with the bytes of the checksum field counted as spaces. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < TAR_BLOCK_BYTES; at += 1) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

/**
 * Decodes a number: octal digits between spaces and NULs, or a big-endian number after a first byte with its highest bit set (GNU, star).
 */
function number(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if ((first & 0x80) !== 0) {
    if (first !== 0x80) return Number.NaN;
    let value = 0;
    for (let at = start + 1; at < start + length; at += 1) value = value * 256 + (block[at] ?? 0);
    return value;
  }
  const digits = block
    .toString('latin1', start, start + length)
    .replaceAll('\0', ' ')
    .trim();
  if (digits === '') return 0;
  return /^[0-7]+( |$)/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function damaged(): AppError {
  return new AppError('invalid_request', message('tar_header_damaged'));
}
