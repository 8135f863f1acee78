import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { BackedUpDataset, Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import { BlockStore } from '../blocks/block-store.ts';
import { RECOVERED } from '../set-aside.ts';
import type { FileLock } from '../sqlite/file-lock.ts';
import { readBackedUp, SNAPSHOT_FOLDERS } from './backed-up-dataset.ts';
import { BackupFolder, type BackupManifest } from './backup-folder.ts';
import type { BackupOwner, BackupStart, BackupWriterCalls } from './backup-messages.ts';
import { findInTree, readListing, storeListing, type TreeEntry } from './stored-tree.ts';
import { type FolderOptions, TreeWriter } from './tree-writer.ts';

const REPORT_INTERVAL_MS = 250;
/** Folders and files of the data folder beside datasets, originals and the catalog. */
const OTHER_FOLDERS = ['models', RECOVERED];
const OTHER_FILES = ['media-url.key'];

/** A folder of the backup that is composed of parts. */
type Room = Map<string, TreeEntry | Room>;

/** What a backup works with once it has begun. */
interface Begun {
  lock: FileLock;
  store: BlockStore;
  writer: TreeWriter;
  previous: BackupManifest | undefined;
}

/** Writes one backup into a {@link BackupFolder}. */
export class BackupWriter implements BackupWriterCalls {
  readonly #folder: BackupFolder;
  readonly #dataFolder: string;
  readonly #owner: BackupOwner;
  readonly #root: Room = new Map();
  readonly #previousRooms = new Map<string, Promise<Map<string, TreeEntry>>>();
  #begun: Begun | undefined;
  #totalBytes = 0;
  #doneBytes = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(start: BackupStart, owner: BackupOwner) {
    this.#folder = new BackupFolder(start.folder);
    this.#dataFolder = start.dataFolder;
    this.#owner = owner;
  }

  async begin(): Promise<void> {
    await this.#folder.prepare();
    const lock = this.#folder.lock();
    const [previous] = await this.#folder.list();
    const store = await BlockStore.open(this.#folder.blocks);
    this.#begun = { lock, store, writer: new TreeWriter(store, (bytes) => this.#report(bytes)), previous };
    for (const name of ['datasets', 'media', ...OTHER_FOLDERS]) {
      this.#totalBytes += await measure(join(this.#dataFolder, name));
    }
  }

  async keepDataset(datasetId: string, staged: string, lengths: ReadonlyMap<string, number>): Promise<void> {
    const at = `datasets/${datasetId}`;
    const room: Room = new Map();
    for (const entry of await readdir(staged, { withFileTypes: true })) {
      const path = join(staged, entry.name);
      if (entry.isDirectory()) await this.#keepFolder(path, `${at}/${entry.name}`, { lengths }, room);
      else await this.#keepFile(path, `${at}/${entry.name}`, room);
    }
    for (const name of SNAPSHOT_FOLDERS) {
      const path = join(this.#dataFolder, 'datasets', datasetId, name);
      if (existsSync(path)) await this.#keepFolder(path, `${at}/${name}`, {}, room);
    }
    this.#room('datasets').set(datasetId, room);
  }

  async carryDataset(datasetId: string): Promise<DatasetRecord | undefined> {
    const entry = await this.#findPrevious(`datasets/${datasetId}`);
    if (!entry || !('tree' in entry)) return undefined;
    const { record, tree } = await readBackedUp(this.#get().store, entry.tree);
    if (tree === undefined) return undefined;
    this.#room('datasets').set(datasetId, entry);
    return record;
  }

  async keepFiles(datasetId: string): Promise<void> {
    const path = join(this.#dataFolder, 'datasets', datasetId);
    await this.#keepFolder(path, `datasets/${datasetId}`, {}, this.#room('datasets'));
  }

  async keepOriginals(batchId: string): Promise<void> {
    const room = this.#room('media');
    if (room.has(batchId)) return;
    const [path, at] = [join(this.#dataFolder, 'media', batchId), `media/${batchId}`];
    const previous = existsSync(path) ? undefined : await this.#findPrevious(at);
    if (previous) room.set(batchId, previous);
    else await this.#keepFolder(path, at, {}, room);
  }

  async keepOthers(): Promise<void> {
    for (const name of OTHER_FOLDERS) {
      const path = join(this.#dataFolder, name);
      // Unfinished downloads, and the lock of this process, which must not even be opened.
      const isSkipped = (below: string) => below.startsWith('.');
      if (existsSync(path)) await this.#keepFolder(path, name, { isSkipped }, this.#root);
    }
    for (const name of OTHER_FILES) await this.#keepFile(join(this.#dataFolder, name), name, this.#root);
  }

  async keepCatalog(file: string): Promise<void> {
    await this.#keepFile(file, 'catalog.db', this.#root);
  }

  async finish(made: {
    created_at: string;
    version: string;
    datasets: BackedUpDataset[];
    keep: number | null;
  }): Promise<Backup> {
    const { keep, ...facts } = made;
    const { store, writer, previous } = this.#get();
    this.#leaveOut(new Set(facts.datasets.map(({ dataset_id }) => dataset_id)));
    const serial = (previous?.serial ?? 0) + 1;
    const manifest: BackupManifest = {
      backup_id: `${String(serial).padStart(6, '0')}-${facts.created_at.replace(/[^0-9TZ]/g, '')}`,
      ...facts,
      ...writer.total,
      serial,
      tree: await this.#keepRoom(this.#root),
    };
    await store.commit();
    await this.#folder.write(manifest);
    if (keep !== null) await this.#folder.prune(keep);
    await this.#folder.sweep();
    const { serial: _serial, tree: _tree, ...backup } = manifest;
    return backup;
  }

  async close(): Promise<void> {
    await this.#begun?.store.close();
    this.#begun?.lock.release();
  }

  /** Removes datasets that were deleted meanwhile. A start after a restore sets their originals aside. */
  #leaveOut(kept: ReadonlySet<string>): void {
    const datasets = this.#room('datasets');
    for (const datasetId of [...datasets.keys()]) if (!kept.has(datasetId)) datasets.delete(datasetId);
  }

  async #keepFolder(path: string, at: string, options: Omit<FolderOptions, 'previous'>, room: Room): Promise<void> {
    const previous = await this.#findPrevious(at);
    const name = lastOf(at);
    const tree = await this.#get().writer.storeFolder(path, {
      ...options,
      previous: previous && 'tree' in previous ? previous.tree : undefined,
    });
    room.set(name, { name, tree });
  }

  async #keepFile(path: string, at: string, room: Room): Promise<void> {
    const previous = await this.#findPrevious(at);
    const name = lastOf(at);
    const entry = await this.#get().writer.storeFile(path, name, {
      previous: previous && 'content' in previous ? previous : undefined,
    });
    if (entry) room.set(name, entry);
  }

  #room(name: string): Room {
    const known = this.#root.get(name);
    if (known instanceof Map) return known;
    const room: Room = new Map();
    this.#root.set(name, room);
    return room;
  }

  async #keepRoom(room: Room): Promise<string> {
    const entries: TreeEntry[] = [];
    for (const [name, entry] of room) {
      entries.push(entry instanceof Map ? { name, tree: await this.#keepRoom(entry) } : entry);
    }
    return storeListing(this.#get().store, entries);
  }

  /** The entry at a path of the previous backup. Undefined when the previous backup is damaged there. */
  async #findPrevious(at: string): Promise<TreeEntry | undefined> {
    const { store, previous } = this.#get();
    if (!previous) return undefined;
    const [room = '', name, ...below] = at.split('/');
    try {
      if (name === undefined) return await findInTree(store, previous.tree, room);
      const entry = (await this.#previousRoom(room, previous.tree)).get(name);
      if (below.length === 0 || !entry || !('tree' in entry)) return entry;
      return await findInTree(store, entry.tree, below.join('/'));
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** A thread that failed and was started again has lost the parts that were stored before. */
  #get(): Begun {
    if (!this.#begun) throw new Error('the backup was interrupted');
    return this.#begun;
  }

  /** Read once: a room may list thousands of datasets. */
  #previousRoom(name: string, tree: string): Promise<Map<string, TreeEntry>> {
    const { store } = this.#get();
    const read = async () => {
      const room = await findInTree(store, tree, name);
      const entries = room && 'tree' in room ? await readListing(store, room.tree) : [];
      return new Map(entries.map((entry) => [entry.name, entry]));
    };
    const known = this.#previousRooms.get(name) ?? read();
    this.#previousRooms.set(name, known);
    return known;
  }

  #report(bytes: number): void {
    this.#doneBytes += bytes;
    if (performance.now() - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = performance.now();
    void this.#owner.report(this.#doneBytes, Math.max(this.#totalBytes, this.#doneBytes));
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Bytes of all files below a folder. */
async function measure(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await measure(path);
    else if (entry.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
