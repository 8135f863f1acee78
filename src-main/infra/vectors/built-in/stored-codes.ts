import { crc32 } from 'node:zlib';
import { codeBytes, SCALE_BYTES } from '../vector-codes.ts';
import { CODES } from './vector-bank.ts';

/** Minimum number of components of vectors whose codes are stored; those of shorter ones are not much smaller than the vectors. */
const MIN_DIM = 64;
/** Size of the memory in which vectors are encoded, in pages of 64 KiB. */
const ENCODER_PAGES = 32;
/** Place of the seal behind the scale of a code. */
const SEAL_AT = 4;

/** The memory of this thread, with vectors in the first half and their codes in the second, and what encodes there, by dimension. */
let memory: WebAssembly.Memory | undefined;
const writers = new Map<number, ReturnType<typeof CODES.writerOver>>();

export function hasStoredCodes(dim: number): boolean {
  return dim >= MIN_DIM;
}

/**
 * Returns the codes of vectors, each with a seal: a checksum of the code that starts with the checksum of its vector. So codes that are damaged
 * or were made from another vector are recognised.
 * @param vectors `dim` components each.
 * @param checksums Of each vector.
 */
export function sealedCodes(vectors: Float32Array, dim: number, checksums: Uint32Array): Uint8Array {
  memory ??= new WebAssembly.Memory({ initial: ENCODER_PAGES, maximum: ENCODER_PAGES, shared: true });
  const scratch = { at: 0, bytes: memory.buffer.byteLength / 2 };
  const write = writers.get(dim) ?? CODES.writerOver(memory, dim, scratch);
  writers.set(dim, write);
  const read = (row: number, n: number) => vectors.subarray(row * dim, (row + n) * dim);
  const size = codeBytes(dim);
  const codes = new Uint8Array(checksums.length * size);
  const most = Math.floor(scratch.bytes / size);
  for (let first = 0; first < checksums.length; first += most) {
    const n = Math.min(most, checksums.length - first);
    write(scratch.bytes, first, n, { read });
    codes.set(new Uint8Array(memory.buffer, scratch.bytes, n * size), first * size);
  }
  const words = new Uint32Array(codes.buffer);
  for (let nth = 0; nth < checksums.length; nth += 1) {
    const end = (nth + 1) * size;
    words[(end - SCALE_BYTES + SEAL_AT) / 4] = sealOf(codes, end, size, checksums[nth] as number);
  }
  return codes;
}

/**
 * Whether codes are intact, and those of these vectors.
 * @param checksums Of each vector; 0 for a row without one, whose code is zero.
 */
export function areSealed(codes: Uint8Array, dim: number, checksums: Uint32Array): boolean {
  const size = codeBytes(dim);
  const words = new Uint32Array(codes.buffer, codes.byteOffset, codes.byteLength / 4);
  return checksums.every((checksum, nth) => {
    const end = (nth + 1) * size;
    const scaleAt = (end - SCALE_BYTES) / 4;
    if (checksum === 0) return words[scaleAt] === 0;
    return words[scaleAt + SEAL_AT / 4] === sealOf(codes, end, size, checksum);
  });
}

/** Whether a code is of no vector: its scale is zero. @param end Index of the byte behind the code. */
export function isCodeBlank(codes: Uint8Array, end: number): boolean {
  for (let at = end - SCALE_BYTES; at < end - SCALE_BYTES + SEAL_AT; at += 1) if (codes[at] !== 0) return false;
  return true;
}

/** @param end Index of the byte behind the code. */
function sealOf(codes: Uint8Array, end: number, size: number, checksum: number): number {
  return crc32(codes.subarray(end - size, end - SCALE_BYTES + SEAL_AT), checksum);
}
