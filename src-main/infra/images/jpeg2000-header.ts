/** Facts of the main header of a JPEG 2000 codestream (ISO/IEC 15444-1, annex A). */
export interface Jpeg2000Header {
  width: number;
  height: number;
  components: number;
  /** Number of times that the image can be decoded at half the size. */
  levels: number;
}

const START = 0xff4f;
const SIZ = 0xff51;
const COD = 0xff52;
/** Start of the first tile, which ends the main header. */
const SOT = 0xff90;

/** Reads the main header of a boxed or bare codestream. @returns Undefined if it is incomplete. */
export function readJpeg2000Header(bytes: Buffer): Jpeg2000Header | undefined {
  const start = bytes.indexOf(Buffer.from([START >> 8, START & 0xff, SIZ >> 8, SIZ & 0xff]));
  if (start < 0) return undefined;
  let size: Omit<Jpeg2000Header, 'levels'> | undefined;
  for (let at = start + 2; at + 14 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === SOT) return undefined;
    if (marker === SIZ && at + 40 <= bytes.length) {
      const [right, bottom, left, top] = [6, 10, 14, 18].map((offset) => bytes.readUInt32BE(at + offset));
      size = {
        width: (right ?? 0) - (left ?? 0),
        height: (bottom ?? 0) - (top ?? 0),
        components: bytes.readUInt16BE(at + 38),
      };
    }
    if (marker === COD && size) return { ...size, levels: bytes.readUInt8(at + 9) };
  }
  return undefined;
}
