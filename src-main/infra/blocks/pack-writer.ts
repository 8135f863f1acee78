import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { INDEX_ENTRY_BYTES, NAME_BYTES, PACK_END, PACK_EXTENSION } from './page-pack.ts';

/** Blocks are gathered before they are written. */
const WRITE_BYTES = 1024 * 1024;

/** Writes one pack (see page-packs.ts): one file, one wait for the disk. It appears whole or not at all, and not when it would be empty. */
export class PackWriter {
  readonly #folder: string;
  readonly #path: string;
  #file: FileHandle | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  readonly #index: Buffer[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, `${randomUUID()}${PACK_EXTENSION}`);
  }

  /** Makes a file the beginning of the pack, before anything is added: its blocks are only {@link note}d, in order. */
  async beginWith(file: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await rename(file, `${this.#path}.partial`);
    this.#file = await open(`${this.#path}.partial`, 'a');
  }

  /** Notes a block that is in the file. */
  note(name: string, bytes: number): void {
    const entry = Buffer.allocUnsafe(INDEX_ENTRY_BYTES);
    entry.write(name, 'hex');
    entry.writeUInt32LE(bytes, NAME_BYTES);
    this.#index.push(entry);
  }

  /** @param block Must not change until {@link finish}. */
  async add(name: string, block: Buffer): Promise<void> {
    this.note(name, block.length);
    this.#waiting.push(block);
    this.#waitingBytes += block.length;
    if (this.#waitingBytes >= WRITE_BYTES) await this.#flush();
  }

  async finish(): Promise<void> {
    if (this.#index.length === 0) return;
    const index = Buffer.concat(this.#index);
    const end = Buffer.alloc(PACK_END.bytes);
    end.writeUInt32LE(this.#index.length, 0);
    end.writeUInt32LE(crc32(index), 4);
    end.write(PACK_END.magic, 8, 'latin1');
    this.#waiting.push(index, end);
    const file = await this.#flush();
    await file.sync();
    await this.#close();
    await rename(`${this.#path}.partial`, this.#path);
  }

  /** Deletes what was written. */
  async abandon(): Promise<void> {
    if (!this.#file) return;
    await this.#close();
    await rm(`${this.#path}.partial`, { force: true });
  }

  async #flush(): Promise<FileHandle> {
    if (!this.#file) {
      await mkdir(this.#folder, { recursive: true });
      this.#file = await open(`${this.#path}.partial`, 'w');
    }
    await this.#file.writeFile(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#file;
  }

  async #close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** Writes a pack as a whole; what fails leaves nothing. */
export async function writePack<T>(folder: string, write: (pack: PackWriter) => Promise<T>): Promise<T> {
  const pack = new PackWriter(folder);
  try {
    const made = await write(pack);
    await pack.finish();
    return made;
  } finally {
    await pack.abandon();
  }
}
