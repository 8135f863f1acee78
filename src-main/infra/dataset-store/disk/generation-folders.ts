import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The one place that numbers the generations of datasets and lays them out: `<root>/<dataset_id>/<generation>`. A number is never given
 * twice while a folder has it, so whatever a crash left is never written into again.
 */
export class GenerationFolders {
  readonly #root: string;

  /** @param root The folder of all datasets. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The folder of a dataset, or of one of its generations. */
  path(datasetId: string, generation?: number): string {
    const folder = join(this.#root, datasetId);
    return generation === undefined ? folder : join(folder, String(generation));
  }

  /** The numbers of a dataset's whole generations, ascending; none where it has no folder. */
  async list(datasetId: string): Promise<number[]> {
    const names = await readdir(this.path(datasetId)).catch(noneIfMissing);
    return names
      .filter((name) => /^[1-9]\d*$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  }

  /**
   * Makes the next generation of a dataset. It appears under its number when `write` has filled its folder; nothing reads it before the
   * catalog points to it.
   * @returns Its number.
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

  /** Deletes all generations of a dataset but one, with what attempts at others left. */
  async keepOnly(datasetId: string, generation: number): Promise<void> {
    for (const name of await readdir(this.path(datasetId))) {
      if (!/^\d+(\.partial)?$/.test(name) || name === String(generation)) continue;
      await rm(join(this.path(datasetId), name), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

function noneIfMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
