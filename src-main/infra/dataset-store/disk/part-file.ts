import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const MAGIC = 0x31545056;
const HEAD_BYTES = 16;
/** Parts start at multiples of this number of bytes, so that typed arrays of any type can be laid over them. */
const ALIGNMENT = 8;

/** Byte arrays by name, and a description of them. */
interface Parts {
  about: unknown;
  parts: Readonly<Record<string, ArrayBufferView>>;
}

interface Contents {
  about: unknown;
  parts: [name: string, bytes: number][];
}

/**
 * Writes data that can be recomputed at any time, so the file is not synced to disk: the checksum reveals a file torn by a crash. Layout:
 * magic, CRC-32 of all that follows the head, bytes of the contents, 0 (uint32 little endian); the contents as JSON; the parts.
 */
export function writeParts(file: string, { about, parts }: Parts): void {
  const named = Object.entries(parts);
  const contents: Contents = { about, parts: named.map(([name, { byteLength }]) => [name, byteLength]) };
  const text = Buffer.from(JSON.stringify(contents));
  const pieces = [text, ...named.map(([, part]) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength))];
  const padded = pieces.flatMap((piece) => [piece, new Uint8Array(paddingOf(piece.byteLength))]);
  const checksum = padded.reduce((sum, piece) => crc32(piece, sum), 0);
  const head = Uint32Array.of(MAGIC, checksum, text.byteLength, 0);
  const partial = `${file}.partial`;
  try {
    writePieces(partial, [new Uint8Array(head.buffer), ...padded]);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function writePieces(file: string, pieces: readonly Uint8Array[]): void {
  const opened = openSync(file, 'w');
  try {
    for (const piece of pieces) {
      for (let done = 0; done < piece.byteLength; ) done += writeSync(opened, piece, done);
    }
  } finally {
    closeSync(opened);
  }
}

/** @returns The parts, or undefined if the file is missing or incomplete. */
export function readParts(file: string): { about: unknown; parts: ReadonlyMap<string, Uint8Array> } | undefined {
  if (!existsSync(file)) return undefined;
  const read = readFileSync(file);
  const bytes = read.byteOffset % ALIGNMENT === 0 ? read : Uint8Array.from(read);
  if (bytes.byteLength < HEAD_BYTES) return undefined;
  const [magic, checksum, textBytes = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD_BYTES / 4);
  if (magic !== MAGIC || crc32(bytes.subarray(HEAD_BYTES)) !== checksum) return undefined;
  const text = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + textBytes));
  const contents = JSON.parse(text) as Contents;
  let at = HEAD_BYTES + textBytes + paddingOf(textBytes);
  const parts = new Map<string, Uint8Array>();
  for (const [name, length] of contents.parts) {
    parts.set(name, bytes.subarray(at, at + length));
    at += length + paddingOf(length);
  }
  return { about: contents.about, parts };
}

function paddingOf(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}
