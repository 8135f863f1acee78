import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { backup } from '../../contract/schemas/backup.ts';
import { sweepBlocks } from '../blocks/blocks.ts';
import { type FileLock, lockFiles } from '../sqlite/file-lock.ts';
import { readListing } from './kept-tree.ts';
import { shortName } from './tree-restorer.ts';

/** Says of a folder that it holds backups, so that nothing is ever written into another. */
const MARK = 'vitrine-backups.json';
const FORMAT = 1;

/** One backup, and where it begins. */
const manifest = backup.extend({
  /** Backups of a folder in the order in which they were made, whatever the clock says. */
  serial: z.int(),
  /** The listing of the whole data folder. */
  tree: z.string(),
});
export type BackupManifest = z.infer<typeof manifest>;

const manifestFile = z.object({ format: z.literal(FORMAT), sha256: z.string(), manifest: z.unknown() });

/**
 * A folder with backups: `backups/<serial>-<time>.json`, one manifest each, and `blocks/`, what all of them are made of. A block is
 * written before any manifest that names it and deleted after the last one, so a crash can only leave too much.
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

  /** Whether backups are in it. @throws AppError `unavailable` when a newer version made them. */
  async isMarked(): Promise<boolean> {
    const file = join(this.path, MARK);
    if (!existsSync(file)) return false;
    const mark = JSON.parse(await readFile(file, 'utf8')) as { format?: number };
    if (mark.format !== FORMAT) {
      throw new AppError(
        'unavailable',
        'These backups were made by a newer version of Vitrine. Update it to use them.',
      );
    }
    return true;
  }

  /** @throws AppError `invalid_request`. */
  async assertMarked(): Promise<void> {
    if (!(await this.isMarked())) throw new AppError('invalid_request', 'The folder holds no backups');
  }

  /** Makes an empty folder one for backups. @throws AppError `invalid_request` when it holds other things, `storage_failed` when it is gone. */
  async prepare(): Promise<void> {
    if (!existsSync(this.path)) {
      throw new AppError('storage_failed', 'The folder for backups is not there. Is its drive connected?');
    }
    if (!(await this.isMarked())) {
      if ((await readdir(this.path)).length > 0) {
        throw new AppError('invalid_request', 'The folder holds other things. Choose an empty one for backups.');
      }
      await writeFile(join(this.path, MARK), JSON.stringify({ format: FORMAT }));
    }
    // It holds names and addresses of people.
    for (const folder of [this.#manifests, this.blocks]) await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  /** @throws AppError `unavailable` while another process writes backups here. */
  lock(): FileLock {
    return lockFiles([join(this.path, 'lock')], 'backup folder');
  }

  /** The latest first; one that is damaged is undefined. */
  async #readAll(): Promise<(BackupManifest | undefined)[]> {
    const names = existsSync(this.#manifests) ? await readdir(this.#manifests) : [];
    return Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .toSorted()
        .toReversed()
        .map((name) => this.#read(name)),
    );
  }

  /** The latest first. */
  async list(): Promise<BackupManifest[]> {
    return (await this.#readAll()).filter((found) => found !== undefined);
  }

  /** Backups whose own file is damaged. */
  async countUnreadable(): Promise<number> {
    return (await this.#readAll()).filter((found) => found === undefined).length;
  }

  /** @param backupId The latest when undefined. @throws AppError `not_found`. */
  async get(backupId?: string): Promise<BackupManifest> {
    const found = (await this.list()).find(({ backup_id }) => backupId === undefined || backup_id === backupId);
    if (!found) throw new AppError('not_found', 'Backup not found');
    return found;
  }

  /** The last act of a backup: it exists from here on. */
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

  /** Deletes all backups but the latest ones. @returns How many. */
  async prune(keep: number): Promise<number> {
    const old = (await this.list()).slice(Math.max(1, keep));
    for (const { backup_id } of old) await rm(join(this.#manifests, `${backup_id}.json`), { force: true });
    return old.length;
  }

  /** Deletes what no backup names. While one of them cannot be read that is not known, and all stays. */
  async sweep(): Promise<void> {
    const all = await this.#readAll();
    const named = new Set<number>();
    const seen = new Set<string>();
    const name = async (tree: string): Promise<void> => {
      if (seen.has(tree)) return;
      seen.add(tree);
      named.add(shortName(tree));
      for (const entry of await readListing(tree, this.blocks)) {
        if ('tree' in entry) await name(entry.tree);
        else for (const block of entry.blocks) named.add(shortName(block));
      }
    };
    try {
      for (const one of all) {
        if (!one) return;
        await name(one.tree);
      }
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
    // A block that shares its short name with one that is needed stays.
    await sweepBlocks(this.blocks, (block) => !block.endsWith('.partial') && named.has(shortName(block)));
    for (const partial of (await readdir(this.#manifests)).filter((file) => file.endsWith('.partial'))) {
      await rm(join(this.#manifests, partial), { force: true });
    }
  }

  async #read(name: string): Promise<BackupManifest | undefined> {
    try {
      const file = manifestFile.parse(JSON.parse(await readFile(join(this.#manifests, name), 'utf8')));
      const found = manifest.parse(file.manifest);
      return checksumOf(file.manifest) === file.sha256 ? found : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }
}

function checksumOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
