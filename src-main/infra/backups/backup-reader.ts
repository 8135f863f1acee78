import { dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { StoredBackup } from '../../core/ports/backups.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import type { BlockStore } from '../blocks/block-store.ts';
import { createPace } from '../files/read-pace.ts';
import { assertReadable, type BackedUpState, readBackedUp, SNAPSHOT_FOLDERS } from './backed-up-dataset.ts';
import { BackupFolder } from './backup-folder.ts';
import type { BackupOwner, BackupReaderCalls, BackupStart } from './backup-messages.ts';
import { findInTree } from './stored-tree.ts';
import { TreeRestorer } from './tree-restorer.ts';
import { verifyTree } from './verify-backups.ts';

const REPORT_INTERVAL_MS = 250;

/** Lists backups and restores datasets from them. */
export class BackupReader implements BackupReaderCalls {
  readonly #folder: BackupFolder;
  readonly #dataFolder: string;
  readonly #owner: BackupOwner;

  constructor(start: BackupStart, owner: BackupOwner) {
    this.#folder = new BackupFolder(start.folder);
    this.#dataFolder = start.dataFolder;
    this.#owner = owner;
  }

  async list(): Promise<StoredBackup[]> {
    await this.#folder.assertMarked();
    return (await this.#folder.list()).map(({ serial: _serial, tree: _tree, ...backup }) => backup);
  }

  async countDamaged(backupId: string, megabytesPerS: number | undefined): Promise<number> {
    await this.#folder.assertMarked();
    const pace = createPace(megabytesPerS);
    return this.#folder.readOne(backupId, async ({ tree }, store) => {
      const damaged = await verifyTree(store, tree, () => undefined, pace);
      return damaged.length;
    });
  }

  readRecord(backupId: string, datasetId: string): Promise<DatasetRecord> {
    return this.#withDataset(backupId, datasetId, async ({ state }) => {
      assertReadable(state);
      return state.record;
    });
  }

  restoreDataset(backupId: string, datasetId: string, toFolder: string): Promise<void> {
    return this.#withDataset(backupId, datasetId, async ({ store, root, tree, state }) => {
      const restorer = new TreeRestorer(store, this.#meter());
      await restorer.restore(assertReadable(state), toFolder);
      for (const name of SNAPSHOT_FOLDERS) {
        const snapshots = await findInTree(store, tree, name);
        if (snapshots && 'tree' in snapshots) await restorer.restore(snapshots.tree, join(dirname(toFolder), name));
      }
      for (const { batch_id } of state.record.rows.media_folder ?? []) {
        const originals = await findInTree(store, root, `media/${batch_id}`);
        if (!originals || !('tree' in originals)) continue;
        await restorer.restore(originals.tree, join(this.#dataFolder, 'media', originals.name));
      }
    });
  }

  async #withDataset<T>(
    backupId: string,
    datasetId: string,
    work: (found: { store: BlockStore; root: string; tree: string; state: BackedUpState }) => Promise<T>,
  ): Promise<T> {
    await this.#folder.assertMarked();
    return this.#folder.readOne(backupId, async ({ tree: root }, store) => {
      const dataset = await findInTree(store, root, `datasets/${datasetId}`);
      if (!dataset || !('tree' in dataset)) throw new AppError('not_found', message('backup_dataset_missing'));
      return work({ store, root, tree: dataset.tree, state: await readBackedUp(store, dataset.tree) });
    });
  }

  #meter(): (bytes: number) => void {
    let done = 0;
    let reportedAt = Number.NEGATIVE_INFINITY;
    return (bytes) => {
      done += bytes;
      if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = performance.now();
      void this.#owner.report(done, 0);
    };
  }
}
