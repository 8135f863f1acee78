import type Database from 'better-sqlite3';
import type { RecordRow } from '../../../core/ports/dataset-folders.ts';
import type { CopyChanges } from '../../../core/ports/enrichment.ts';
import type { SnapshotWrites } from '../../../core/ports/snapshots.ts';
import type { StateFile } from '../../../core/ports/state-file.ts';
import type { Answered } from '../../threads/answered.ts';
import { copyGeneration } from '../disk/copy-generation.ts';
import { takeState } from '../disk/generation-files.ts';
import { createSnapshot } from './stored-snapshots.ts';

interface Parts {
  db: Database.Database;
  /** Folder of the generation. */
  folder: string;
}

export class LocalSnapshotWrites implements Answered<SnapshotWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  copyTo(folder: string, changes: CopyChanges): Promise<void> {
    return copyGeneration(this.#parts, folder, changes);
  }

  takeState(folder: string): Promise<StateFile[]> {
    return takeState(this.#parts, folder, { growing: 'link' });
  }

  create(
    datasetFolder: string,
    snapshotId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }> {
    return createSnapshot(this.#parts, { datasetFolder, snapshotId }, about);
  }
}
