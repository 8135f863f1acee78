import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message, messageSchema } from '../../contract/messages.ts';
import { backedUpDataset, backup } from '../../contract/schemas/backup.ts';
import { BlockStore } from '../blocks/block-store.ts';
import { type FileLock, lockFiles } from '../sqlite/file-lock.ts';
import { namesOfTrees } from './stored-tree.ts';

/** File that marks a folder as a backup folder, so that backups are never written to another folder. */
const MARK = 'vitrine-backups.json';
const FORMAT = 1;

/** Manifest of one backup. */
const manifest = backup.extend({
  datasets: z.array(backedUpDataset.extend({ problem: messageSchema.nullable() })),
  /** Serial number of the backup in order of creation, which does not depend on the clock. */
  serial: z.int(),
  /** Name of the block with the listing of the data folder. */
  tree: z.string(),
});
export type BackupManifest = z.infer<typeof manifest>;

const manifestFile = z.object({ format: z.literal(FORMAT), sha256: z.string(), manifest: z.unknown() });

/** Backups that are open for reading. */
export interface OpenedBackups {
  store: BlockStore;
  /** Readable backups, the latest first. */
  backups: BackupManifest[];
  /** Number of backups with a damaged manifest. */
  n_unreadable: number;
}

/**
 * A folder with backups: one manifest per backup, `backups/<serial>-<time>.json`, and the block store `blocks/` that all backups share.
 * Blocks are written before the manifests that need them and deleted after them, so a crash can only leave unneeded blocks.
 */
export class BackupFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get blocks(): string {
    return join(this.path, 'blocks');
  }

  get #manifests(): string {
    return join(this.path, 'backups');
  }

  /** Whether the folder is marked as a backup folder. @throws AppError `unavailable` when a newer version made the backups. */
  async isMarked(): Promise<boolean> {
    const file = join(this.path, MARK);
    if (!existsSync(file)) return false;
    const mark = JSON.parse(await readFile(file, 'utf8')) as { format?: number };
    if (mark.format !== FORMAT) {
      throw new AppError('unavailable', message('backup_of_newer_version'));
    }
    return true;
  }

  /** @throws AppError `invalid_request` when the folder is not marked as a backup folder. */
  async assertMarked(): Promise<void> {
    if (!(await this.isMarked())) throw new AppError('invalid_request', message('backup_folder_without_backups'));
  }

  /**
   * Marks an empty folder as a backup folder.
   * @throws AppError `invalid_request` when it holds other files, `storage_failed` when it is missing.
   */
  async prepare(): Promise<void> {
    if (!existsSync(this.path)) {
      throw new AppError('storage_failed', message('backup_folder_gone'));
    }
    if (!(await this.isMarked())) {
      if ((await readdir(this.path)).length > 0) {
        throw new AppError('invalid_request', message('backup_folder_in_use'));
      }
      await writeFile(join(this.path, MARK), JSON.stringify({ format: FORMAT }));
    }
    // Backups hold personal data.
    for (const folder of [this.#manifests, this.blocks]) await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  /** @throws AppError `unavailable` while another process writes backups here. */
  lock(): FileLock {
    return lockFiles([join(this.path, 'lock')], 'backups_folder');
  }

  /** Manifests of all readable backups, the latest first. */
  async list(): Promise<BackupManifest[]> {
    return (await this.#readAll(await this.#names())).filter((found) => found !== undefined);
  }

  /**
   * Reads backups, with all blocks that they need, at a moment at which no backup was added or deleted: another process may do so at any
   * time. Blocks that it deletes later stay readable until `read` has finished.
   */
  async read<T>(read: (opened: OpenedBackups) => Promise<T>): Promise<T> {
    for (;;) {
      const names = await this.#names();
      const store = await BlockStore.open(this.blocks);
      try {
        const found = await this.#readAll(names);
        if (!isDeepStrictEqual(await this.#names(), names)) continue;
        const backups = found.filter((one) => one !== undefined);
        return await read({ store, backups, n_unreadable: found.length - backups.length });
      } finally {
        await store.close();
      }
    }
  }

  /**
   * Reads one backup, with the same protection against changes as {@link read}.
   * @param backupId Default: the latest backup.
   * @throws AppError `not_found`.
   */
  readOne<T>(
    backupId: string | undefined,
    read: (backup: BackupManifest, store: BlockStore) => Promise<T>,
  ): Promise<T> {
    return this.read(({ store, backups }) => {
      const found = backups.find(({ backup_id }) => backupId === undefined || backup_id === backupId);
      if (!found) throw new AppError('not_found', message('backup_gone'));
      return read(found, store);
    });
  }

  /** Writes the manifest. This is the last step of a backup: the backup exists from then on. */
  async write(content: BackupManifest): Promise<void> {
    const file = join(this.#manifests, `${content.backup_id}.json`);
    const target = await open(`${file}.partial`, 'w', 0o600);
    try {
      await target.writeFile(JSON.stringify({ format: FORMAT, sha256: checksumOf(content), manifest: content }));
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(`${file}.partial`, file);
  }

  /** Deletes all but the `keep` latest backups. @returns The number of deleted backups. */
  async prune(keep: number): Promise<number> {
    const old = (await this.list()).slice(Math.max(1, keep));
    for (const { backup_id } of old) await rm(join(this.#manifests, `${backup_id}.json`), { force: true });
    return old.length;
  }

  /** Deletes blocks that no backup needs. If a manifest cannot be read, the needed blocks are unknown and nothing is deleted. */
  async sweep(): Promise<void> {
    const trees: string[] = [];
    for (const manifest of await this.#readAll(await this.#names())) {
      if (!manifest) return;
      trees.push(manifest.tree);
    }
    const store = await BlockStore.open(this.blocks);
    try {
      await store.sweep(namesOfTrees(store, trees));
    } finally {
      await store.close();
    }
    for (const partial of (await readdir(this.#manifests)).filter((file) => file.endsWith('.partial'))) {
      await rm(join(this.#manifests, partial), { force: true });
    }
  }

  /** Names of the manifest files, the latest first. */
  async #names(): Promise<string[]> {
    const names = existsSync(this.#manifests) ? await readdir(this.#manifests) : [];
    return names
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .toReversed();
  }

  /** @returns Undefined for a damaged or deleted manifest. */
  #readAll(names: readonly string[]): Promise<(BackupManifest | undefined)[]> {
    return Promise.all(names.map((name) => this.#read(name)));
  }

  async #read(name: string): Promise<BackupManifest | undefined> {
    try {
      const file = manifestFile.parse(JSON.parse(await readFile(join(this.#manifests, name), 'utf8')));
      const found = manifest.parse(file.manifest);
      return checksumOf(file.manifest) === file.sha256 ? found : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError || isMissing(error)) return undefined;
      throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function checksumOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
