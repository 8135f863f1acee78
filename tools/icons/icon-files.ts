/** PNG images by their side in pixels. */
export type PngBySide = ReadonlyMap<number, Buffer>;

/** Sides of the images in an icon of Windows. */
export const ICO_SIDES = [16, 24, 32, 48, 64, 128, 256] as const;
/** Types of the images in an icon of macOS, by their side. Apple names them in "Icon Services"; the second is for screens of high density. */
const ICNS_TYPES: readonly (readonly [type: string, side: number])[] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
];
export const ICNS_SIDES = [...new Set(ICNS_TYPES.map(([, side]) => side))];

/** An icon of Windows: a directory of 16 bytes per image, then the images as PNG. */
export function icoFile(images: PngBySide): Buffer {
  const entries = [...images];
  const head = Buffer.alloc(6 + 16 * entries.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(entries.length, 4);
  let offset = head.length;
  for (const [index, [side, png]] of entries.entries()) {
    const at = 6 + 16 * index;
    // 0 stands for 256.
    head.writeUInt8(side % 256, at);
    head.writeUInt8(side % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...entries.map(([, png]) => png)]);
}

/** An icon of macOS: images as PNG, each behind its type and length. */
export function icnsFile(images: PngBySide): Buffer {
  const blocks = ICNS_TYPES.map(([type, side]) => {
    const png = images.get(side);
    if (png === undefined) throw new Error(`No image of ${side} pixels`);
    return block(type, png);
  });
  return block('icns', Buffer.concat(blocks));
}

function block(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}
