import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  name: string;
  data?: Buffer;
  /** Already compressed content, for entries whose `data` would be too large for memory. */
  packed?: { data: Buffer; size_bytes: number; crc: number };
  /** Size that the directory states instead of the real one. */
  stated_size?: number;
  crc?: number;
  method?: number;
  flags?: number;
  /** A Unix mode including the file type. */
  mode?: number;
  /** Offset of the file that the directory states. */
  offset?: number;
}

/** Builds a zip with the given parts, including their wrong values. */
export function buildZip(parts: ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const data = part.data ?? Buffer.alloc(0);
    const method = part.method ?? 8;
    const packed = part.packed?.data ?? (method === 8 ? deflateRawSync(data) : data);
    const size = part.stated_size ?? part.packed?.size_bytes ?? data.length;
    const crc = part.crc ?? part.packed?.crc ?? crc32(data);
    const flags = (part.flags ?? 0) | 0x800;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE((part.mode ?? 0o100644) * 0x10000, 38);
    central.writeUInt32LE(part.offset ?? offset, 42);
    files.push(local, name, packed);
    directory.push(central, name);
    offset += local.length + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listing, end]);
}

export interface TarPart {
  name: string;
  data?: Buffer;
  type?: string;
  /** Size that the header states instead of the real one. */
  stated_size?: number;
}

const BLOCK = 512;

/** Builds a tar with the given parts and the two blocks that mark its end. */
export function buildTar(parts: TarPart[]): Buffer {
  const blocks: Buffer[] = [];
  for (const part of parts) {
    const data = part.data ?? Buffer.alloc(0);
    blocks.push(tarHeader(part.name, part.stated_size ?? data.length, part.type ?? '0'), data);
    blocks.push(Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

export function tarHeader(name: string, sizeBytes: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Content of an extended header (pax). */
export function paxRecords(records: Record<string, string>): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const body = ` ${key}=${value}\n`;
    const bytes = Buffer.byteLength(body);
    let length = bytes + String(bytes).length;
    if (String(length).length > String(bytes).length) length += 1;
    return `${length}${body}`;
  });
  return Buffer.from(lines.join(''));
}
