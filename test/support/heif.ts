/** Parts of a HEIF file (ISO/IEC 23008-12) with one HEVC key frame, for tests of image properties in containers. */
export interface HeifParts {
  /** One key frame in Annex B form, with its parameter sets, as `x265` writes it. */
  hevc: Buffer;
  width: number;
  height: number;
  bits?: number;
  /** Number of anticlockwise quarter turns, as in an `irot` box. */
  quarterTurns?: number;
  icc?: Buffer;
  /** TIFF bytes of an EXIF item. */
  exif?: Buffer;
}

function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const u8 = (...values: number[]): Buffer => Buffer.from(values);
const u16 = (value: number): Buffer => u8(value >> 8, value & 255);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const full = (type: string, version: number, ...parts: (Buffer | string)[]): Buffer =>
  box(type, u8(version, 0, 0, 0), ...parts);

/** NAL units of an Annex B stream, without start codes. */
function nalUnits(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = stream.indexOf('\0\0\x01', 0, 'latin1'); at >= 0; at = stream.indexOf('\0\0\x01', at + 3, 'latin1')) {
    starts.push(at + 3);
  }
  return starts.map((start, index) => {
    const next = starts[index + 1];
    let end = next === undefined ? stream.length : next - 3;
    if (next !== undefined && stream[end - 1] === 0) end -= 1;
    return stream.subarray(start, end);
  });
}

const nalType = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 63;

function hvcC(units: Buffer[], bits: number): Buffer {
  const sets = units.filter((unit) => [32, 33, 34].includes(nalType(unit)));
  const head = Buffer.from('0101600000009000000000005af000fcfdf8f800000f', 'hex');
  head[17] = 0xf8 | (bits - 8);
  head[18] = 0xf8 | (bits - 8);
  const arrays = sets.map((unit) => Buffer.concat([u8(0x80 | nalType(unit)), u16(1), u16(unit.length), unit]));
  return box('hvcC', head, u8(sets.length), ...arrays);
}

export function buildHeif(parts: HeifParts): Buffer {
  const { width, height, bits = 8, quarterTurns, icc, exif } = parts;
  const units = nalUnits(parts.hevc);
  const slices = units.filter((unit) => nalType(unit) < 32).map((unit) => Buffer.concat([u32(unit.length), unit]));
  const image = Buffer.concat(slices);
  const metadata =
    exif === undefined ? Buffer.alloc(0) : Buffer.concat([u32(6), Buffer.from('Exif\0\0', 'latin1'), exif]);

  const properties = [hvcC(units, bits), full('ispe', 0, u32(width), u32(height))];
  if (icc !== undefined) properties.push(box('colr', 'prof', icc));
  if (quarterTurns !== undefined) properties.push(box('irot', u8(quarterTurns)));
  const links = properties.map((_, index) => u8(0x80 | (index + 1)));
  const infos = [full('infe', 2, u16(1), u16(0), 'hvc1', '\0')];
  if (exif !== undefined) infos.push(full('infe', 2, u16(2), u16(0), 'Exif', '\0'));

  const ftyp = box('ftyp', 'heic', u32(0), 'mif1', 'heic');
  const meta = (dataAt: number): Buffer => {
    const extent = (id: number, at: number, length: number) =>
      Buffer.concat([u16(id), u16(0), u16(1), u32(at), u32(length)]);
    const extents = [extent(1, dataAt, image.length)];
    if (exif !== undefined) extents.push(extent(2, dataAt + image.length, metadata.length));
    const references = exif === undefined ? [] : [full('iref', 0, box('cdsc', u16(2), u16(1), u16(1)))];
    return full(
      'meta',
      0,
      full('hdlr', 0, u32(0), 'pict', Buffer.alloc(12), '\0'),
      full('pitm', 0, u16(1)),
      full('iloc', 0, u8(0x44, 0), u16(extents.length), ...extents),
      full('iinf', 0, u16(infos.length), ...infos),
      ...references,
      box('iprp', box('ipco', ...properties), full('ipma', 0, u32(1), u16(1), u8(links.length), ...links)),
    );
  };
  const dataAt = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(dataAt), box('mdat', image, metadata)]);
}
