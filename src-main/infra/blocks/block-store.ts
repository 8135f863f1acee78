import { linkBlocks } from './copy-blocks.ts';
import { type DamageSearch, findDamagedBlocks } from './find-damaged-blocks.ts';
import { PackWriter } from './pack-writer.ts';
import { missingOrDamaged, nameOf, PackedBlocks } from './packed-blocks.ts';
import { dropBlocks, sweepBlocks } from './sweep-blocks.ts';

/**
 * A folder of packs with blocks that are named by their SHA-256, so that equal blocks are stored once. Snapshots, clones and backups are
 * lists of such names. A store shows the folder as it was when the store was opened, and the blocks that are added to it.
 */
export class BlockStore {
  readonly #folder: string;
  readonly #blocks: PackedBlocks;
  #writer: PackWriter | undefined;

  private constructor(folder: string, blocks: PackedBlocks) {
    this.#folder = folder;
    this.#blocks = blocks;
  }

  static async open(folder: string): Promise<BlockStore> {
    return new BlockStore(folder, await PackedBlocks.open(folder));
  }

  /** Closes all packs and discards blocks that are not committed. */
  async close(): Promise<void> {
    await this.#writer?.abandon();
    await this.#blocks.close();
  }

  get isEmpty(): boolean {
    return this.#blocks.isEmpty;
  }

  has(name: string): boolean {
    return this.#blocks.has(name);
  }

  /** Total length of blocks in bytes. @throws AppError `storage_failed` when one is missing. */
  bytesOf(names: readonly string[]): number {
    return this.#blocks.bytesOf(names.map((name) => this.#blocks.numberOf(name)));
  }

  /** Stores a block if the store does not have it. Stores that are opened after {@link commit} can read it. */
  async add(block: Buffer): Promise<{ name: string; is_new: boolean }> {
    const name = nameOf(block);
    if (this.has(name)) return { name, is_new: false };
    this.#blocks.note(name, block.length);
    await this.#writing().add(name, block);
    return { name, is_new: true };
  }

  /**
   * Makes a file the start of a pack in an empty store, so that its content is not copied. The file is moved.
   * @returns A function that adds the file's blocks, in order.
   */
  async adopt(file: string): Promise<(block: Buffer) => { name: string; is_new: boolean }> {
    const writer = this.#writing();
    await writer.adopt(file);
    return (block) => {
      const name = nameOf(block);
      const isNew = !this.has(name);
      writer.note(name, block.length);
      this.#blocks.note(name, block.length);
      return { name, is_new: isNew };
    };
  }

  /** Makes all added blocks durable. */
  async commit(): Promise<void> {
    await this.#writer?.finish();
  }

  /** Reads a block. @throws AppError `storage_failed` when it is missing, damaged or not committed. */
  async read(name: string): Promise<Buffer> {
    const blocks: Buffer[] = [];
    for await (const block of this.readAll([name])) blocks.push(block);
    return Buffer.concat(blocks);
  }

  /** Yields blocks in the order of names, and reads several at once when they are adjacent in a pack. @throws AppError as {@link read}. */
  async *readAll(names: readonly string[]): AsyncGenerator<Buffer> {
    const numbers = names.map((name) => this.#blocks.numberOf(name));
    for await (const { bytes, damaged } of this.#blocks.read(numbers)) {
      if (damaged.length > 0) throw missingOrDamaged();
      yield bytes;
    }
  }

  /** See {@link findDamagedBlocks}. */
  findDamaged(search: DamageSearch = {}): Promise<Set<string>> {
    return findDamagedBlocks(this.#blocks, search);
  }

  /** See {@link dropBlocks}. */
  drop(damaged: ReadonlySet<string>): Promise<void> {
    return dropBlocks(this.#blocks, this.#folder, damaged);
  }

  /** See {@link sweepBlocks}. */
  sweep(names: AsyncIterable<string>): Promise<void> {
    return sweepBlocks(this.#blocks, this.#folder, names);
  }

  /** See {@link linkBlocks}. */
  linkTo(names: AsyncIterable<string>, toFolder: string): Promise<void> {
    return linkBlocks(this.#blocks, names, toFolder);
  }

  #writing(): PackWriter {
    this.#writer ??= new PackWriter(this.#folder);
    return this.#writer;
  }
}
