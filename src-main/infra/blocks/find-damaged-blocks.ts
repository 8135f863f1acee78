import type { PackedBlocks } from './packed-blocks.ts';

export interface DamageSearch {
  /** Names of the blocks to verify (default: all). */
  names?: AsyncIterable<string>;
  signal?: AbortSignal;
  /** Waits after each read, to limit the speed. */
  pace?: (bytes: number) => Promise<void>;
  /** Receives the number of verified bytes and their total. */
  onBytes?: (done: number, total: number) => void;
}

/**
 * Reads and verifies blocks in the order of the packs, each once.
 * @returns Names of damaged blocks, without missing ones.
 */
export async function findDamagedBlocks(blocks: PackedBlocks, search: DamageSearch): Promise<Set<string>> {
  const searched = search.names && (await blocks.flagsOf(search.names));
  const numbers = blocks
    .byPack((number) => (searched ? searched[number] === 1 : blocks.isFirst(number)))
    .flatMap(([, ofPack]) => ofPack);
  const total = blocks.bytesOf(numbers);
  const found = new Set<string>();
  let done = 0;
  search.signal?.throwIfAborted();
  for await (const { bytes, damaged } of blocks.read(numbers)) {
    for (const name of damaged) found.add(name);
    done += bytes.length;
    search.onBytes?.(done, total);
    await search.pace?.(bytes.length);
    search.signal?.throwIfAborted();
  }
  return found;
}
