import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { INDEX_ENTRY_BYTES, NAME_BYTES, PACK_EXTENSION, TRAILER } from './pack-file.ts';

/** Maximum number of bytes of blocks that are collected before a write. */
const WRITE_BYTES = 1024 * 1024;
/** Maximum length of a pack in bytes. A complete pack is not lost when a backup is interrupted. */
const MAX_PACK_BYTES = 512 * 1024 * 1024;

interface NamedBlock {
  name: string;
  block: Buffer;
}

/** Writes blocks to new packs of a folder; see [Note: Packs]. Calls may overlap. After a failure only {@link abandon} may be called. */
export class PackWriter {
  readonly #folder: string;
  #path = '';
  #file: FileHandle | undefined;
  #bytes = 0;
  #index: Buffer[] = [];
  #waiting: NamedBlock[] = [];
  #waitingBytes = 0;
  /** Settles when the last write has finished: writes run one after the other. */
  #written: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a file the start of the first pack, so that it is not copied. Its blocks are then passed to {@link note}, in order. */
  async adopt(file: string): Promise<void> {
    await this.#start();
    await rename(file, `${this.#path}.partial`);
    this.#file = await open(`${this.#path}.partial`, 'a');
  }

  /** Adds a block of the adopted file to the index. */
  note(name: string, bytes: number): void {
    const entry = Buffer.allocUnsafe(INDEX_ENTRY_BYTES);
    entry.write(name, 'hex');
    entry.writeUInt32LE(bytes, NAME_BYTES);
    this.#index.push(entry);
    this.#bytes += bytes;
  }

  /** Adds a block. @param block Must not change until it is written. */
  async add(name: string, block: Buffer): Promise<void> {
    this.#waiting.push({ name, block });
    this.#waitingBytes += block.length;
    if (this.#waitingBytes >= WRITE_BYTES) await this.#flush();
  }

  /** Completes the last pack. After this all blocks are durable. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#seal();
  }

  /** Deletes the incomplete pack, if there is one. */
  async abandon(): Promise<void> {
    await this.#written.catch(() => undefined);
    if (!this.#file) return;
    await this.#file.close();
    this.#file = undefined;
    await rm(`${this.#path}.partial`, { force: true });
  }

  #flush(): Promise<void> {
    const blocks = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (blocks.length > 0) this.#written = this.#written.then(() => this.#write(blocks));
    return this.#written;
  }

  async #write(blocks: readonly NamedBlock[]): Promise<void> {
    if (!this.#file) {
      await this.#start();
      this.#file = await open(`${this.#path}.partial`, 'w');
    }
    await this.#file.writeFile(Buffer.concat(blocks.map(({ block }) => block)));
    for (const { name, block } of blocks) this.note(name, block.length);
    if (this.#bytes >= MAX_PACK_BYTES) await this.#seal();
  }

  async #start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    this.#path = join(this.#folder, `${randomUUID()}${PACK_EXTENSION}`);
  }

  async #seal(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    const index = Buffer.concat(this.#index);
    const trailer = Buffer.alloc(TRAILER.bytes);
    trailer.writeUInt32LE(this.#index.length, 0);
    trailer.writeUInt32LE(crc32(index), 4);
    trailer.write(TRAILER.magic, 8, 'latin1');
    await file.writeFile(Buffer.concat([index, trailer]));
    await file.sync();
    await file.close();
    this.#file = undefined;
    this.#index = [];
    this.#bytes = 0;
    await rename(`${this.#path}.partial`, this.#path);
  }
}
