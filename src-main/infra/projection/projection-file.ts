import { readArrays, writeArrays } from '../vectors/array-file.ts';

/** Positions of rows on the map. */
export interface Projection {
  count: number;
  /** Number of rows whose positions were computed together; later rows were placed beside them. */
  layoutCount: number;
  /** Number of the layout: positions of different layouts cannot be compared. */
  layout: number;
  /** Length of a side of the map in units of the layout. */
  scale: number;
  /** x and y of each row, 0 … 1; NaN for a row without an item. */
  places: Float32Array;
}

const MAGIC = 0x56504a31;
const HEAD_BYTES = 20;

/**
 * Writes a projection. Layout, little endian: magic, count, rows laid out together and layout as int32, scale as float32; then the
 * positions (float32).
 */
export function writeProjection(file: string, { count, layoutCount, layout, scale, places }: Projection): void {
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  for (const [at, value] of [MAGIC, count, layoutCount, layout].entries()) head.setInt32(at * 4, value, true);
  head.setFloat32(16, scale, true);
  writeArrays(file, [new Uint8Array(head.buffer), places]);
}

/** @throws Error when the file is not a complete projection. */
export function readProjection(file: string): Projection {
  const buffer = readArrays(file);
  const head = buffer.byteLength >= HEAD_BYTES ? new DataView(buffer, 0, HEAD_BYTES) : undefined;
  const count = head?.getInt32(4, true) ?? 0;
  if (head?.getInt32(0, true) !== MAGIC || buffer.byteLength !== bytesOfProjection(count)) {
    throw new Error('not a projection');
  }
  return {
    count,
    layoutCount: head.getInt32(8, true),
    layout: head.getInt32(12, true),
    scale: head.getFloat32(16, true),
    places: new Float32Array(buffer, HEAD_BYTES, count * 2),
  };
}

export function bytesOfProjection(count: number): number {
  return HEAD_BYTES + count * 8;
}
