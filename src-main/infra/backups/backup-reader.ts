import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { CheckedBackup, StoredBackup } from '../../core/ports/backups.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import type { LostFile } from '../../core/ports/state-file.ts';
import { BlockStore } from '../blocks/block-store.ts';
import { writeStoredFile } from '../blocks/stored-file.ts';
import { checksumOf } from '../files/file-checksum.ts';
import { createPace } from '../files/read-pace.ts';
import { WorkPace } from '../giving-way/work-pace.ts';
import { assertReadable, type BackedUpState, readBackedUp, SNAPSHOT_FOLDERS } from './backed-up-dataset.ts';
import { BackupFolder, type BackupManifest } from './backup-folder.ts';
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
  readonly #pace: WorkPace;

  constructor(start: BackupStart, owner: BackupOwner) {
    this.#folder = new BackupFolder(start.folder);
    this.#dataFolder = start.dataFolder;
    this.#owner = owner;
    this.#pace = new WorkPace(start.claimed);
  }

  async list(): Promise<StoredBackup[]> {
    await this.#folder.assertMarked();
    return (await this.#folder.list()).map(({ serial: _serial, tree: _tree, ...backup }) => backup);
  }

  async checkLatest(megabytesPerS: number | undefined): Promise<CheckedBackup & { read_bytes: number }> {
    await this.#folder.assertMarked();
    const pace = createPace({
      turn: () => this.#pace.turn(),
      ...(megabytesPerS !== undefined && { megabytes_per_s: megabytesPerS }),
    });
    return this.#folder.read(async ({ store, backups: [latest], n_unreadable }) => {
      if (!latest) return { backup_id: null, n_damaged: 0, n_unreadable, read_bytes: 0 };
      let readBytes = 0;
      const onBytes = (done: number) => {
        readBytes = done;
      };
      const damaged = await verifyTree(store, latest.tree, onBytes, pace);
      return { backup_id: latest.backup_id, n_damaged: damaged.length, n_unreadable, read_bytes: readBytes };
    });
  }

  async restoreBlocks(names: readonly string[], toFolder: string): Promise<number> {
    await this.#folder.assertMarked();
    return this.#folder.read(async ({ store }) => {
      const target = await BlockStore.open(toFolder);
      try {
        let nRestored = 0;
        for (const name of names) {
          const block = await store.read(name).catch(undefinedIfDamaged);
          if (block && (await target.add(block)).is_new) nRestored += 1;
        }
        await target.commit();
        return nRestored;
      } finally {
        await target.close();
      }
    });
  }

  async restoreFiles(files: readonly LostFile[]): Promise<number> {
    await this.#folder.assertMarked();
    return this.#folder.read(async ({ store, backups }) => {
      let nRestored = 0;
      for (const file of files) if (await this.#restoreFile(store, backups, file)) nRestored += 1;
      return nRestored;
    });
  }

  /** @returns False if no backup has the file undamaged. */
  async #restoreFile(store: BlockStore, backups: readonly BackupManifest[], file: LostFile): Promise<boolean> {
    for (const { tree } of backups) {
      if (await this.#restoreFileFrom(store, tree, file).catch(undefinedIfDamaged)) return true;
    }
    return false;
  }

  /** @returns False if the backup lacks the file or has it damaged. */
  async #restoreFileFrom(store: BlockStore, tree: string, { path, sound }: LostFile): Promise<boolean> {
    const stored = await findInTree(store, tree, path);
    if (!stored || !('content' in stored)) return false;
    const target = join(this.#dataFolder, path);
    const partial = join(this.#dataFolder, 'temporary', `${randomUUID()}.partial`);
    try {
      await writeStoredFile(store, stored.content, partial);
      const isSound =
        'sha256' in sound ? checksumOf(partial) === sound.sha256 : statSync(partial).size >= sound.least_bytes;
      if (!isSound) return false;
      await mkdir(dirname(target), { recursive: true });
      await rename(partial, target);
      return true;
    } finally {
      await rm(partial, { force: true });
    }
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

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'storage_failed') throw error;
}
