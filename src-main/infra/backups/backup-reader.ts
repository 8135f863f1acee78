import { dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import { assertReadable, readBackedUp, SNAPSHOT_FOLDERS } from './backed-up-dataset.ts';
import { BackupFolder } from './backup-folder.ts';
import type { BackupOwner, BackupReaderCalls, BackupStart } from './backup-messages.ts';
import { findInTree } from './kept-tree.ts';
import { TreeRestorer } from './tree-restorer.ts';

const REPORT_INTERVAL_MS = 250;

/** Looks into backups, and brings datasets back from them. */
export class BackupReader implements BackupReaderCalls {
  readonly #folder: BackupFolder;
  readonly #dataFolder: string;
  readonly #owner: BackupOwner;

  constructor(start: BackupStart, owner: BackupOwner) {
    this.#folder = new BackupFolder(start.folder);
    this.#dataFolder = start.dataFolder;
    this.#owner = owner;
  }

  async list(): Promise<Backup[]> {
    await this.#folder.assertMarked();
    return (await this.#folder.list()).map(({ serial: _serial, tree: _tree, ...backup }) => backup);
  }

  async readRecord(backupId: string, datasetId: string): Promise<DatasetRecord> {
    const { state } = await this.#find(backupId, datasetId);
    assertReadable(state);
    return state.record;
  }

  async restoreDataset(backupId: string, datasetId: string, toFolder: string): Promise<void> {
    const { root, tree, state } = await this.#find(backupId, datasetId);
    const restorer = new TreeRestorer(this.#folder.blocks, this.#meter());
    await restorer.restore(assertReadable(state), toFolder);
    for (const name of SNAPSHOT_FOLDERS) {
      const versions = await findInTree(tree, name, this.#folder.blocks);
      if (versions && 'tree' in versions) await restorer.restore(versions.tree, join(dirname(toFolder), name));
    }
    for (const { batch_id } of state.record.rows.media_folder ?? []) {
      const originals = await findInTree(root, `media/${batch_id}`, this.#folder.blocks);
      if (!originals || !('tree' in originals)) continue;
      await restorer.restore(originals.tree, join(this.#dataFolder, 'media', originals.name));
    }
  }

  async #find(backupId: string, datasetId: string) {
    await this.#folder.assertMarked();
    const { tree: root } = await this.#folder.get(backupId);
    const kept = await findInTree(root, `datasets/${datasetId}`, this.#folder.blocks);
    if (!kept || !('tree' in kept)) throw new AppError('not_found', 'The backup does not have this dataset');
    return { root, tree: kept.tree, state: await readBackedUp(kept.tree, this.#folder.blocks) };
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
