/** An entry of a ZIP as it is listed at the end. */
export interface ZipEntry {
  /** UTF-8. */
  path: Uint8Array;
  crc32: number;
  size_bytes: number;
  stored_bytes: number;
  is_deflated: boolean;
  /** Where its local header begins. */
  offset: number;
}

/* Layouts are those of PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 to 4.5. */
const [MOST_32, MOST_16] = [0xffff_ffff, 0xffff];
/** Of ZIP64. */
const VERSION = 45;
const MADE_ON_UNIX = 3 << 8;
const PATH_IS_UTF8 = 0x0800;
/** A file that its owner and group may write. */
const MODE = 0o100664;
/** The extra field of ZIP64: id, length, then numbers of eight bytes. */
const [ZIP64, ZIP64_HEAD] = [1, 4];

/**
 * What goes ahead of the bytes of an entry. Its sizes are always in the field of ZIP64, so the header is as long before they are known.
 * @param modified As {@link dosTime} has it.
 */
export function localHeader(entry: ZipEntry, modified: number): Buffer {
  const extra = zip64Field([entry.size_bytes, entry.stored_bytes]);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  writeCommon(header, 6, entry, modified);
  header.writeUInt32LE(MOST_32, 18);
  header.writeUInt32LE(MOST_32, 22);
  header.writeUInt16LE(entry.path.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, entry.path, extra]);
}

/** What the list at the end says of an entry. */
export function centralRecord(entry: ZipEntry, modified: number): Buffer {
  const { size_bytes, stored_bytes, offset } = entry;
  const large = [size_bytes, stored_bytes, offset].filter((value) => value >= MOST_32);
  const extra = large.length === 0 ? Buffer.alloc(0) : zip64Field(large);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_ON_UNIX | VERSION, 4);
  record.writeUInt16LE(VERSION, 6);
  writeCommon(record, 8, entry, modified);
  record.writeUInt32LE(Math.min(stored_bytes, MOST_32), 20);
  record.writeUInt32LE(Math.min(size_bytes, MOST_32), 24);
  record.writeUInt16LE(entry.path.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE((MODE << 16) >>> 0, 38);
  record.writeUInt32LE(Math.min(offset, MOST_32), 42);
  return Buffer.concat([record, entry.path, extra]);
}

/** What ends a ZIP whose list has so many entries and bytes and begins at an offset. */
export function endRecords(list: { count: number; bytes: number; offset: number }): Buffer {
  const { count, bytes, offset } = list;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MOST_16), 8);
  end.writeUInt16LE(Math.min(count, MOST_16), 10);
  end.writeUInt32LE(Math.min(bytes, MOST_32), 12);
  end.writeUInt32LE(Math.min(offset, MOST_32), 16);
  if (count < MOST_16 && bytes < MOST_32 && offset < MOST_32) return end;

  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(BigInt(end64.length - 12), 4);
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION, 12);
  end64.writeUInt16LE(VERSION, 14);
  for (const [at, value] of [count, count, bytes, offset].entries()) end64.writeBigUInt64LE(BigInt(value), 24 + 8 * at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/** Local time in steps of two seconds: the date in the upper 16 bits. */
export function dosTime(at: Date): number {
  const date = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}

/** Flags, method, time and checksum, which both kinds of headers have in one piece. */
function writeCommon(header: Buffer, at: number, { is_deflated, crc32 }: ZipEntry, modified: number): void {
  header.writeUInt16LE(PATH_IS_UTF8, at);
  header.writeUInt16LE(is_deflated ? 8 : 0, at + 2);
  header.writeUInt32LE(modified, at + 4);
  header.writeUInt32LE(crc32, at + 8);
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(ZIP64_HEAD + 8 * values.length);
  field.writeUInt16LE(ZIP64, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), ZIP64_HEAD + 8 * at);
  return field;
}
