import type { Backups } from '../ports/backups.ts';
import type { Log } from '../ports/log.ts';
import type { LostFile } from '../ports/state-file.ts';
import type { SettingsService } from '../settings/settings.service.ts';

/** Hexadecimal digits. */
const SHA256_LENGTH = 64;

/** Restores damaged parts of datasets from the backups of the folder in the settings. Without readable backups nothing is restored. */
export class BackupRepairs {
  readonly #backups: Pick<Backups, 'restoreBlocks' | 'restoreFiles'>;
  readonly #settings: Pick<SettingsService, 'get'>;
  readonly #log: Log;

  constructor(parts: {
    backups: Pick<Backups, 'restoreBlocks' | 'restoreFiles'>;
    settings: Pick<SettingsService, 'get'>;
    log: Log;
  }) {
    this.#backups = parts.backups;
    this.#settings = parts.settings;
    this.#log = parts.log;
  }

  /** Restores blocks of a dataset's snapshots. @returns The number of restored blocks. @throws AbortError. */
  async restoreBlocks(datasetId: string, names: readonly string[], signal: AbortSignal): Promise<number> {
    if (names.length === 0) return 0;
    const work = (folder: string) => this.#backups.restoreBlocks(folder, datasetId, names, signal);
    return (await this.#attempt(work, signal)) ?? 0;
  }

  /**
   * @param paths Relative to the data folder; the name of each file starts with its SHA-256.
   * @returns The number of restored originals.
   * @throws AbortError.
   */
  restoreOriginals(paths: readonly string[], signal: AbortSignal): Promise<number> {
    const sha256Of = (path: string) => path.slice(path.lastIndexOf('/') + 1).slice(0, SHA256_LENGTH);
    return this.restoreFiles(
      paths.map((path) => ({ path, sound: { sha256: sha256Of(path) } })),
      signal,
    );
  }

  /** @returns The number of restored files. @throws AbortError. */
  async restoreFiles(files: readonly LostFile[], signal: AbortSignal): Promise<number> {
    if (files.length === 0) return 0;
    const work = (folder: string) => this.#backups.restoreFiles(folder, files, signal);
    return (await this.#attempt(work, signal)) ?? 0;
  }

  async #attempt<T>(work: (folder: string) => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const folder = this.#settings.get('BACKUP_FOLDER');
    if (folder === '') return undefined;
    try {
      return await work(folder);
    } catch (error) {
      signal.throwIfAborted();
      this.#log.warn({ err: error }, 'damaged data could not be restored from a backup');
      return undefined;
    }
  }
}
