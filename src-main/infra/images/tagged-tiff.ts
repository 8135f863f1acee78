const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

/**
 * Wraps interleaved 8-bit RGB in an uncompressed TIFF (TIFF 6.0, section 2) with a colour profile (tag 34675): the only way to pass pixels
 * together with their profile to libvips.
 */
export function taggedTiff(image: { data: Buffer; width: number; height: number }, profile: Buffer): Buffer {
  const { data, width, height } = image;
  const bitsAt = HEADER_BYTES;
  const pixelsAt = bitsAt + 6;
  const profileAt = pixelsAt + data.length + (data.length % 2);
  const directoryAt = profileAt + profile.length + (profile.length % 2);
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 3, bitsAt],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, pixelsAt],
    [277, SHORT, 1, 3],
    [278, LONG, 1, height],
    [279, LONG, 1, data.length],
    [34675, UNDEFINED, profile.length, profileAt],
  ];
  const tiff = Buffer.alloc(directoryAt + 2 + entries.length * ENTRY_BYTES + 4);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(directoryAt, 4);
  for (let at = bitsAt; at < pixelsAt; at += 2) tiff.writeUInt16LE(8, at);
  data.copy(tiff, pixelsAt);
  profile.copy(tiff, profileAt);
  tiff.writeUInt16LE(entries.length, directoryAt);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = directoryAt + 2 + index * ENTRY_BYTES;
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(count, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  return tiff;
}
