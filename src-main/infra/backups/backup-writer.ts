import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { BackedUpDataset, Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import { RECOVERED } from '../set-aside.ts';
import type { FileLock } from '../sqlite/file-lock.ts';
import { readBackedUp, SNAPSHOT_FOLDERS } from './backed-up-dataset.ts';
import { BackupFolder, type BackupManifest } from './backup-folder.ts';
import type { BackupOwner, BackupStart, BackupWriterCalls } from './backup-messages.ts';
import { findInTree, type KeptEntry, readListing } from './kept-tree.ts';
import { type KeepOptions, TreeKeeper } from './tree-keeper.ts';

const REPORT_INTERVAL_MS = 250;
/** What a data folder is made of beside databases that are copied: folders and files of ours. */
const OTHER_FOLDERS = ['models', RECOVERED];
const OTHER_FILES = ['media-url.key'];

/** A folder of the backup that is put together from parts. */
type Room = Map<string, KeptEntry | Room>;

/** Writes one backup; see BackupFolder for how it lies there. */
export class BackupWriter implements BackupWriterCalls {
  readonly #folder: BackupFolder;
  readonly #dataFolder: string;
  readonly #owner: BackupOwner;
  readonly #keeper: TreeKeeper;
  readonly #root: Room = new Map();
  readonly #formerRooms = new Map<string, Promise<Map<string, KeptEntry>>>();
  #lock: FileLock | undefined;
  #latest: BackupManifest | undefined;
  #totalBytes = 0;
  #doneBytes = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(start: BackupStart, owner: BackupOwner) {
    this.#folder = new BackupFolder(start.folder);
    this.#dataFolder = start.dataFolder;
    this.#owner = owner;
    this.#keeper = new TreeKeeper(this.#folder.blocks, (bytes) => this.#report(bytes));
  }

  async begin(): Promise<void> {
    await this.#folder.prepare();
    this.#lock = this.#folder.lock();
    [this.#latest] = await this.#folder.list();
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
    // Kept versions, which never change, and what they are made of.
    for (const name of SNAPSHOT_FOLDERS) {
      const path = join(this.#dataFolder, 'datasets', datasetId, name);
      if (existsSync(path)) await this.#keepFolder(path, `${at}/${name}`, {}, room);
    }
    this.#room('datasets').set(datasetId, room);
  }

  async carryDataset(datasetId: string): Promise<DatasetRecord | undefined> {
    const entry = await this.#former(`datasets/${datasetId}`);
    if (!entry || !('tree' in entry)) return undefined;
    const { record, tree } = await readBackedUp(entry.tree, this.#folder.blocks);
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
    const former = existsSync(path) ? undefined : await this.#former(at);
    if (former) room.set(batchId, former);
    else await this.#keepFolder(path, at, {}, room);
  }

  async keepOthers(): Promise<void> {
    for (const name of OTHER_FOLDERS) {
      const path = join(this.#dataFolder, name);
      // Downloads under way, and the lock of this process, which must not even be opened.
      const isPassedOver = (below: string) => below.startsWith('.');
      if (existsSync(path)) await this.#keepFolder(path, name, { isPassedOver }, this.#root);
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
    const { keep, ...told } = made;
    this.#assertBegun();
    this.#leaveOut(new Set(told.datasets.map(({ dataset_id }) => dataset_id)));
    const serial = (this.#latest?.serial ?? 0) + 1;
    const manifest: BackupManifest = {
      backup_id: `${String(serial).padStart(6, '0')}-${told.created_at.replace(/[^0-9TZ]/g, '')}`,
      ...told,
      ...this.#keeper.total,
      serial,
      tree: await this.#keepRoom(this.#root),
    };
    await this.#folder.write(manifest);
    if (keep !== null) await this.#folder.prune(keep);
    await this.#folder.sweep();
    const { serial: _serial, tree: _tree, ...backup } = manifest;
    return backup;
  }

  close(): void {
    this.#lock?.release();
  }

  /** Datasets that were deleted meanwhile. Their originals, which nothing names then, are found and set aside by who restores. */
  #leaveOut(kept: ReadonlySet<string>): void {
    const datasets = this.#room('datasets');
    for (const datasetId of [...datasets.keys()]) if (!kept.has(datasetId)) datasets.delete(datasetId);
  }

  async #keepFolder(path: string, at: string, options: Omit<KeepOptions, 'former'>, room: Room): Promise<void> {
    const former = await this.#former(at);
    const name = lastOf(at);
    const tree = await this.#keeper.keepFolder(path, {
      ...options,
      former: former && 'tree' in former ? former.tree : undefined,
    });
    room.set(name, { name, tree });
  }

  async #keepFile(path: string, at: string, room: Room): Promise<void> {
    const former = await this.#former(at);
    const name = lastOf(at);
    const kept = await this.#keeper.keepFile(path, name, {
      former: former && 'blocks' in former ? former : undefined,
    });
    if (kept) room.set(name, kept);
  }

  #room(name: string): Room {
    const known = this.#root.get(name);
    if (known instanceof Map) return known;
    const room: Room = new Map();
    this.#root.set(name, room);
    return room;
  }

  async #keepRoom(room: Room): Promise<string> {
    const entries: KeptEntry[] = [];
    for (const [name, entry] of room) {
      entries.push(entry instanceof Map ? { name, tree: await this.#keepRoom(entry) } : entry);
    }
    return this.#keeper.keepListing(entries);
  }

  /** What the backup before has at a path; nothing where it is damaged. */
  async #former(at: string): Promise<KeptEntry | undefined> {
    this.#assertBegun();
    if (!this.#latest) return undefined;
    const [room = '', name, ...below] = at.split('/');
    try {
      if (name === undefined) return await findInTree(this.#latest.tree, room, this.#folder.blocks);
      const entry = (await this.#formerRoom(room, this.#latest.tree)).get(name);
      if (below.length === 0 || !entry || !('tree' in entry)) return entry;
      return await findInTree(entry.tree, below.join('/'), this.#folder.blocks);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** A thread that failed and was started again has nothing of what was kept before. */
  #assertBegun(): void {
    if (!this.#lock) throw new Error('the backup was cut off');
  }

  /** Read once: a room may list thousands of datasets. */
  #formerRoom(name: string, tree: string): Promise<Map<string, KeptEntry>> {
    const read = async () => {
      const room = await findInTree(tree, name, this.#folder.blocks);
      const entries = room && 'tree' in room ? await readListing(room.tree, this.#folder.blocks) : [];
      return new Map(entries.map((entry) => [entry.name, entry]));
    };
    const known = this.#formerRooms.get(name) ?? read();
    this.#formerRooms.set(name, known);
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
