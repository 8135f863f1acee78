import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const MAGIC = 0x31545056;
const HEAD_BYTES = 16;
/** Parts begin at multiples of it, so that arrays of any numbers can be laid over them. */
const ALIGNMENT = 8;

/** Bytes by name, and what is said of them. */
interface Parts {
  about: unknown;
  parts: Readonly<Record<string, ArrayBufferView>>;
}

interface Contents {
  about: unknown;
  parts: [name: string, bytes: number][];
}

/**
 * Writes what can be made again at any time, so nothing waits for the disk: its checksum tells a file that a crash left torn. Layout: magic,
 * CRC-32 of all that follows the head, bytes of the contents, 0 (uint32 little endian); the contents as JSON; the parts.
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

/** @returns Undefined where there is no such file, or none that is whole. */
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
