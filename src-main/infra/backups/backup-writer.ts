import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredBackup } from '../../core/ports/backups.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import { BlockStore } from '../blocks/block-store.ts';
import { WorkPace } from '../giving-way/work-pace.ts';
import { RECOVERED } from '../set-aside.ts';
import type { FileLock } from '../sqlite/file-lock.ts';
import { readBackedUp, SNAPSHOT_FOLDERS } from './backed-up-dataset.ts';
import { BackupFolder } from './backup-folder.ts';
import type { BackupOwner, BackupStart, BackupWriterCalls } from './backup-messages.ts';
import { type StoreOptions, TreeWriter } from './tree-writer.ts';

const REPORT_INTERVAL_MS = 250;
/** Folders and files of the data folder apart from datasets, originals and the catalog. */
const OTHER_FOLDERS = ['models', RECOVERED];
const OTHER_FILES = ['media-url.key'];

/** State of a backup that has started. */
interface WriterState {
  lock: FileLock;
  store: BlockStore;
  tree: TreeWriter;
  serial: number;
}

/** Writes one backup into a {@link BackupFolder}: a tree with the paths of the data folder. */
export class BackupWriter implements BackupWriterCalls {
  readonly #folder: BackupFolder;
  readonly #dataFolder: string;
  readonly #owner: BackupOwner;
  readonly #pace: WorkPace;
  #state: WriterState | undefined;
  #totalBytes = 0;
  #doneBytes = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(start: BackupStart, owner: BackupOwner) {
    this.#folder = new BackupFolder(start.folder);
    this.#dataFolder = start.dataFolder;
    this.#owner = owner;
    this.#pace = new WorkPace(start.claimed);
  }

  async begin(): Promise<void> {
    await this.#folder.prepare();
    const lock = this.#folder.lock();
    const [previous] = await this.#folder.list();
    const store = await BlockStore.open(this.#folder.blocks);
    const tree = new TreeWriter(
      store,
      previous?.tree,
      (bytes) => this.#report(bytes),
      () => this.#pace.turn(),
    );
    this.#state = { lock, store, tree, serial: (previous?.serial ?? 0) + 1 };
    for (const name of ['datasets', 'media', ...OTHER_FOLDERS]) {
      this.#totalBytes += await measure(join(this.#dataFolder, name));
    }
  }

  async storeDataset(datasetId: string, staged: string, lengths: ReadonlyMap<string, number>): Promise<void> {
    const { tree } = this.#get();
    const at = `datasets/${datasetId}`;
    // An earlier attempt may have stored another generation of the dataset.
    tree.remove((path) => path.startsWith(`${at}/`));
    for (const name of await readdir(staged)) await tree.store(`${at}/${name}`, join(staged, name), { lengths });
    for (const name of SNAPSHOT_FOLDERS) await tree.store(`${at}/${name}`, join(this.#dataFolder, at, name));
  }

  async carryDataset(datasetId: string): Promise<DatasetRecord | undefined> {
    const { tree, store } = this.#get();
    const at = `datasets/${datasetId}`;
    tree.remove((path) => path.startsWith(`${at}/`));
    const entry = await tree.carry(at);
    const found = entry && 'tree' in entry ? await readBackedUp(store, entry.tree) : undefined;
    if (found?.tree !== undefined) return found.record;
    tree.remove((path) => path === at);
    return undefined;
  }

  async storeFiles(datasetId: string): Promise<void> {
    await this.#store(`datasets/${datasetId}`);
  }

  async storeOriginals(batchId: string): Promise<void> {
    const { tree } = this.#get();
    const at = `media/${batchId}`;
    if (tree.has(at)) return;
    if (!existsSync(join(this.#dataFolder, at)) && (await tree.carry(at))) return;
    await this.#store(at);
  }

  async storeOthers(): Promise<void> {
    // Skips unfinished downloads, and the lock file of this process, which must not even be opened.
    const isSkipped = (name: string) => name.startsWith('.');
    for (const name of OTHER_FOLDERS) await this.#store(name, { isSkipped });
    for (const name of OTHER_FILES) await this.#store(name);
  }

  async storeCatalog(file: string): Promise<void> {
    await this.#get().tree.store('catalog.db', file);
  }

  async finish({ keep, ...facts }: Parameters<BackupWriterCalls['finish']>[0]): Promise<StoredBackup> {
    const { store, tree, serial } = this.#get();
    // Removes datasets that were deleted meanwhile. After a restore the next start moves their originals to the recovered files.
    const kept = new Set(facts.datasets.map(({ dataset_id }) => dataset_id));
    tree.remove((at) => at.startsWith('datasets/') && !kept.has(at.split('/')[1] ?? ''));
    const backup: StoredBackup = {
      backup_id: `${String(serial).padStart(6, '0')}-${facts.created_at.replace(/[^0-9TZ]/g, '')}`,
      ...facts,
      ...tree.total,
    };
    const manifest = { ...backup, serial, tree: await tree.finish() };
    await store.commit();
    await this.#folder.write(manifest);
    if (keep !== null) await this.#folder.prune(keep);
    await this.#folder.sweep();
    return backup;
  }

  async close(): Promise<void> {
    await this.#state?.store.close();
    this.#state?.lock.release();
  }

  /** Stores a path of the data folder. */
  #store(at: string, options: StoreOptions = {}): Promise<void> {
    return this.#get().tree.store(at, join(this.#dataFolder, at), options);
  }

  /** Throws when the thread failed and was restarted, because what was stored before is lost. */
  #get(): WriterState {
    if (!this.#state) throw new Error('the backup was interrupted');
    return this.#state;
  }

  #report(bytes: number): void {
    this.#doneBytes += bytes;
    if (performance.now() - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = performance.now();
    void this.#owner.report(this.#doneBytes, Math.max(this.#totalBytes, this.#doneBytes));
  }
}

/** Total number of bytes of all files below a folder. */
async function measure(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await measure(path);
    else if (entry.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
