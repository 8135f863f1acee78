import type { RecordRow } from '../../../core/ports/dataset-folders.ts';
import type { CopyChanges } from '../../../core/ports/enrichment.ts';
import type { SnapshotWrites } from '../../../core/ports/snapshots.ts';
import type { StateFile } from '../../../core/ports/state-file.ts';
import type { Answered } from '../../threads/answered.ts';
import { copyGeneration } from '../disk/copy-generation.ts';
import { type OpenGeneration, takeState } from '../disk/generation-files.ts';
import { createSnapshot } from './stored-snapshots.ts';

export class LocalSnapshotWrites implements Answered<SnapshotWrites> {
  readonly #generation: OpenGeneration;

  constructor(generation: OpenGeneration) {
    this.#generation = generation;
  }

  copyTo(folder: string, changes: CopyChanges): Promise<void> {
    return copyGeneration(this.#generation, folder, changes);
  }

  takeState(folder: string): Promise<StateFile[]> {
    return takeState(this.#generation, folder, { growing: 'link' });
  }

  create(
    datasetFolder: string,
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }> {
    return createSnapshot(this.#generation, { datasetFolder, snapshotId }, about);
  }
}
