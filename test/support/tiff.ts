export interface TiffKind {
  bits: number[];
  /** 2: RGB, 1: grey, 5: CMYK, 6: YCbCr, 8: CIELab, 9: ICC Lab. */
  photometric: number;
  compression?: number;
  /** Whether each channel is stored in its own plane. */
  planar?: boolean;
  /** Side of square tiles in pixels. Without it, the image is one strip. */
  tile_px?: number;
  /** Meaning of each additional sample (TIFF `ExtraSamples`). */
  extra?: number[];
}

const [SHORT, LONG] = [3, 4];

/** Builds a little-endian TIFF (TIFF 6.0) of strips or tiles. `parts` are written unchanged. */
export function buildTiff(sidePx: number, kind: TiffKind, parts: readonly Buffer[]): Buffer {
  const offsets: number[] = [];
  let end = 8;
  for (const part of parts) {
    offsets.push(end);
    end += part.length + (part.length % 2);
  }
  const lengths = parts.map((part) => part.length);
  const tile = kind.tile_px;
  const entries: [tag: number, type: number, values: number[]][] = [
    [256, LONG, [sidePx]],
    [257, LONG, [sidePx]],
    [258, SHORT, kind.bits],
    [259, SHORT, [kind.compression ?? 1]],
    [262, SHORT, [kind.photometric]],
    ...(tile === undefined ? ([[273, LONG, offsets]] as [number, number, number[]][]) : []),
    [277, SHORT, [kind.bits.length]],
    ...(tile === undefined
      ? ([
          [278, LONG, [sidePx]],
          [279, LONG, lengths],
        ] as [number, number, number[]][])
      : []),
    [284, SHORT, [kind.planar ? 2 : 1]],
    ...(tile === undefined
      ? []
      : ([
          [322, LONG, [tile]],
          [323, LONG, [tile]],
          [324, LONG, offsets],
          [325, LONG, lengths],
        ] as [number, number, number[]][])),
    ...(kind.extra ? ([[338, SHORT, kind.extra]] as [number, number, number[]][]) : []),
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  const values: Buffer[] = [];
  let valuesAt = end + directory.length;
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, numbers]] of entries.entries()) {
    const size = type === SHORT ? 2 : 4;
    const bytes = Buffer.alloc(Math.max(4, numbers.length * size));
    for (const [at, number] of numbers.entries()) bytes.writeUIntLE(number, at * size, size);
    const entry = 2 + index * 12;
    directory.writeUInt16LE(tag, entry);
    directory.writeUInt16LE(type, entry + 2);
    directory.writeUInt32LE(numbers.length, entry + 4);
    if (bytes.length === 4) bytes.copy(directory, entry + 8);
    else {
      directory.writeUInt32LE(valuesAt, entry + 8);
      values.push(bytes);
      valuesAt += bytes.length;
    }
  }
  const start = Buffer.alloc(end);
  start.write('II*\0', 'latin1');
  start.writeUInt32LE(end, 4);
  for (const [index, part] of parts.entries()) part.copy(start, offsets[index]);
  return Buffer.concat([start, directory, ...values]);
}

/** Packs samples of `bits` bits each, most significant bit first. Every row is padded to a whole byte. */
export function packBits(rows: readonly (readonly number[])[], bits: number): Buffer {
  const packed = rows.map((row) => {
    const digits = row.map((value) => value.toString(2).padStart(bits, '0')).join('');
    const bytes = Math.ceil(digits.length / 8);
    return Buffer.from(
      Array.from({ length: bytes }, (_, at) => Number.parseInt(digits.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2)),
    );
  });
  return Buffer.concat(packed);
}
