import { crc32 } from 'node:zlib';
import { codeBytes, SCALE_BYTES } from '../vector-codes.ts';
import { type VectorKernels, vectorKernels } from '../vector-kernels.ts';

/** Minimum number of components of vectors whose codes are stored; those of shorter ones are not much smaller than the vectors. */
const MIN_DIM = 64;
const PAGE_BYTES = 65_536;
/** Size of the memory in which vectors are encoded. */
const ENCODER_PAGES = 16;
/** Place of the seal behind the scale of a code. */
const SEAL_AT = 4;

/** The kernels of this thread. */
let encoder: { bytes: Uint8Array; kernels: VectorKernels } | undefined;

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
  encoder ??= openEncoder();
  const { bytes, kernels } = encoder;
  const floats = new Float32Array(bytes.buffer);
  const size = codeBytes(dim);
  const vectorBytes = (size - SCALE_BYTES) * 4;
  const most = Math.floor(bytes.length / (vectorBytes + size));
  const codesAt = most * vectorBytes;
  const codes = new Uint8Array(checksums.length * size);
  floats.fill(0, 0, codesAt / 4);
  for (let first = 0; first < checksums.length; first += most) {
    const n = Math.min(most, checksums.length - first);
    for (let nth = 0; nth < n; nth += 1) {
      floats.set(vectors.subarray((first + nth) * dim, (first + nth + 1) * dim), (nth * vectorBytes) / 4);
    }
    kernels.encode(0, n, vectorBytes, codesAt, size);
    codes.set(bytes.subarray(codesAt, codesAt + n * size), first * size);
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

/** @param end Index of the byte behind the code. */
function sealOf(codes: Uint8Array, end: number, size: number, checksum: number): number {
  return crc32(codes.subarray(end - size, end - SCALE_BYTES + SEAL_AT), checksum);
}

function openEncoder(): { bytes: Uint8Array; kernels: VectorKernels } {
  const memory = new WebAssembly.Memory({ initial: ENCODER_PAGES, maximum: ENCODER_PAGES, shared: true });
  return { bytes: new Uint8Array(memory.buffer, 0, ENCODER_PAGES * PAGE_BYTES), kernels: vectorKernels(memory) };
}
