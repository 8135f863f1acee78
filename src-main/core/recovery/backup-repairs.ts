import type { Backups } from '../ports/backups.ts';
import type { Log } from '../ports/log.ts';
import type { SettingsService } from '../settings/settings.service.ts';

/** Restores damaged parts of datasets from the backups of the folder in the settings. Without readable backups nothing is restored. */
export class BackupRepairs {
  readonly #backups: Pick<Backups, 'restoreBlocks' | 'restoreOriginals'>;
  readonly #settings: Pick<SettingsService, 'get'>;
  readonly #log: Log;

  constructor(parts: {
    backups: Pick<Backups, 'restoreBlocks' | 'restoreOriginals'>;
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

  /** @param paths Relative to the data folder. @returns The number of restored originals. @throws AbortError. */
  async restoreOriginals(paths: readonly string[], signal: AbortSignal): Promise<number> {
    if (paths.length === 0) return 0;
    const work = (folder: string) => this.#backups.restoreOriginals(folder, paths, signal);
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
