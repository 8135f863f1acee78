import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** The file of a pack: blocks one after the other, then what they are called and how long they are, then this end. */
export const PACK_END = { bytes: 16, magic: 'VPAGES01' };
export const NAME_BYTES = 32;
export const INDEX_ENTRY_BYTES = NAME_BYTES + 4;
export const PACK_EXTENSION = '.pages';

export interface PackedBlock {
  /** SHA-256 in hexadecimal. */
  name: string;
  offset: number;
  bytes: number;
}

/** A file with blocks of the pages of databases, open. It never changes once it is there. */
export class PagePack {
  readonly path: string;
  /** Also the index at its end. */
  readonly bytes: number;
  /** How many folders have it, by hard link. */
  readonly n_links: number;
  /** In the order of the file; none where its index is damaged. */
  readonly blocks: readonly PackedBlock[];
  readonly #file: FileHandle;

  private constructor(file: FileHandle, facts: Pick<PagePack, 'path' | 'bytes' | 'n_links' | 'blocks'>) {
    this.#file = file;
    this.path = facts.path;
    this.bytes = facts.bytes;
    this.n_links = facts.n_links;
    this.blocks = facts.blocks;
  }

  static async open(path: string): Promise<PagePack> {
    const file = await open(path, 'r');
    try {
      const { size, nlink } = await file.stat();
      return new PagePack(file, { path, bytes: size, n_links: nlink, blocks: await readIndex(file, size) });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Blocks that lie beside each other, as they lie there; shorter where the file is cut. */
  async read(blocks: readonly PackedBlock[]): Promise<Buffer> {
    const length = blocks.reduce((sum, { bytes }) => sum + bytes, 0);
    return readRange(this.#file, blocks[0]?.offset ?? 0, length);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function readIndex(file: FileHandle, size: number): Promise<PackedBlock[]> {
  if (size < PACK_END.bytes) return [];
  const end = await readRange(file, size - PACK_END.bytes, PACK_END.bytes);
  const indexBytes = end.readUInt32LE(0) * INDEX_ENTRY_BYTES;
  if (end.toString('latin1', 8) !== PACK_END.magic || indexBytes > size - PACK_END.bytes) return [];
  const index = await readRange(file, size - PACK_END.bytes - indexBytes, indexBytes);
  if (crc32(index) !== end.readUInt32LE(4)) return [];
  const blocks: PackedBlock[] = [];
  for (let at = 0, offset = 0; at < indexBytes; at += INDEX_ENTRY_BYTES) {
    const bytes = index.readUInt32LE(at + NAME_BYTES);
    blocks.push({ name: index.toString('hex', at, at + NAME_BYTES), offset, bytes });
    offset += bytes;
  }
  return blocks;
}

async function readRange(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
