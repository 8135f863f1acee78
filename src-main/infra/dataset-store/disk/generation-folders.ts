import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Numbers the generations of datasets and creates their folders: `<root>/<dataset_id>/<generation>`. A number is never reused while a
 * folder has it, so nothing is ever written into the remains of a crash.
 */
export class GenerationFolders {
  readonly #root: string;

  /** @param root The folder of all datasets. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the folder of a dataset or of one of its generations. */
  path(datasetId: string, generation?: number): string {
    const folder = join(this.#root, datasetId);
    return generation === undefined ? folder : join(folder, String(generation));
  }

  /** Returns the numbers of a dataset's complete generations in ascending order; empty if the dataset has no folder. */
  async list(datasetId: string): Promise<number[]> {
    return generationsAmong(await readdir(this.path(datasetId)).catch(noneIfMissing));
  }

  /**
   * Creates the next generation of a dataset. The folder gets its number after `write` has filled it, and nothing reads it before the
   * catalog points to it.
   * @returns The number of the generation.
   */
  async add(datasetId: string, write: (folder: string) => Promise<void> | void): Promise<number> {
    const generation = ((await this.list(datasetId)).at(-1) ?? 0) + 1;
    const folder = this.path(datasetId, generation);
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    await write(partial);
    await rename(partial, folder);
    return generation;
  }
}

/** Returns the numbers of the complete generations among the names in a dataset's folder, in ascending order. */
export function generationsAmong(names: readonly string[]): number[] {
  return names
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

function noneIfMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
