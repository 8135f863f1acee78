import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/**
 * [Note: Packs]
 * A pack is a file with blocks one after the other, then its index (name and length of each block), then a trailer (number of blocks as
 * uint32, CRC-32 of the index, magic). It is written under another name and renamed when it is complete, and never changes afterwards.
 */
export const TRAILER = { bytes: 16, magic: 'VBLOCKS1' };
export const NAME_BYTES = 32;
export const INDEX_ENTRY_BYTES = NAME_BYTES + 4;
export const PACK_EXTENSION = '.blocks';

export interface PackEntry {
  /** SHA-256 of the block, 32 bytes. */
  name: Buffer;
  offset: number;
  bytes: number;
}

/** A pack that is open for reading. */
export class PackFile {
  readonly path: string;
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** Number of folders that share the file by hard link. */
  readonly n_links: number;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, facts: Pick<PackFile, 'path' | 'bytes' | 'n_links'>) {
    this.#file = file;
    this.path = facts.path;
    this.bytes = facts.bytes;
    this.n_links = facts.n_links;
  }

  static async open(path: string): Promise<PackFile> {
    const file = await open(path, 'r');
    try {
      const { size, nlink } = await file.stat();
      return new PackFile(file, { path, bytes: size, n_links: nlink });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Blocks in the order of the file; none when the index is damaged. */
  async readIndex(): Promise<PackEntry[]> {
    if (this.bytes < TRAILER.bytes) return [];
    const trailer = await this.read(this.bytes - TRAILER.bytes, TRAILER.bytes);
    const indexBytes = trailer.readUInt32LE(0) * INDEX_ENTRY_BYTES;
    if (trailer.toString('latin1', 8) !== TRAILER.magic || indexBytes > this.bytes - TRAILER.bytes) return [];
    const index = await this.read(this.bytes - TRAILER.bytes - indexBytes, indexBytes);
    if (crc32(index) !== trailer.readUInt32LE(4)) return [];
    const entries: PackEntry[] = [];
    for (let at = 0, offset = 0; at < indexBytes; at += INDEX_ENTRY_BYTES) {
      const bytes = index.readUInt32LE(at + NAME_BYTES);
      entries.push({ name: index.subarray(at, at + NAME_BYTES), offset, bytes });
      offset += bytes;
    }
    return entries;
  }

  /** @returns Fewer bytes when the file ends earlier. */
  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
