const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
const ENTRY_BYTES = 12;
/** Maximum number of entries read per directory; real directories have some dozens. */
const MAX_ENTRIES = 512;
const MAX_TEXT_BYTES = 1024;
const MAX_RATIONALS = 8;

interface Entry {
  type: number;
  count: number;
  /** Offset of the four bytes that contain the value or its offset. */
  at: number;
}

/** One directory of a TIFF structure (TIFF 6.0, section 2); damaged or out-of-bounds values are null. */
export interface TiffDirectory {
  text(tag: number): string | null;
  rationals(tag: number): number[] | null;
  /** Returns the directory that an entry points to. */
  child(tag: number): TiffDirectory | null;
}

/**
 * Opens the first directory of a TIFF structure, such as an EXIF block; null for other data. Reads only requested values and trusts no
 * count or offset, so time and memory are bounded for any input.
 */
export function openTiff(tiff: Buffer): TiffDirectory | null {
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return null;
  const isLittle = order === 'II*\0';
  const u16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number): number => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));

  const openAt = (start: number): TiffDirectory | null => {
    if (start + 2 > tiff.length) return null;
    const entries = new Map<number, Entry>();
    const count = Math.min(u16(start), MAX_ENTRIES);
    for (
      let at = start + 2;
      at < start + 2 + count * ENTRY_BYTES && at + ENTRY_BYTES <= tiff.length;
      at += ENTRY_BYTES
    ) {
      entries.set(u16(at), { type: u16(at + 2), count: u32(at + 4), at: at + 8 });
    }
    return {
      text: (tag) => {
        const entry = entries.get(tag);
        if (entry?.type !== ASCII || entry.count > MAX_TEXT_BYTES) return null;
        const at = entry.count <= 4 ? entry.at : u32(entry.at);
        return at + entry.count <= tiff.length ? tiff.toString('utf8', at, at + entry.count) : null;
      },
      rationals: (tag) => {
        const entry = entries.get(tag);
        if (entry?.type !== RATIONAL || entry.count > MAX_RATIONALS) return null;
        const at = u32(entry.at);
        if (at + entry.count * 8 > tiff.length) return null;
        return Array.from({ length: entry.count }, (_, index) => u32(at + index * 8) / u32(at + index * 8 + 4));
      },
      child: (tag) => {
        const entry = entries.get(tag);
        return entry?.type === LONG && entry.count === 1 ? openAt(u32(entry.at)) : null;
      },
    };
  };
  return openAt(u32(4));
}
