import { AppError } from '../../contract/errors.ts';
import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import type { Backups } from '../ports/backups.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { ReadLimits } from '../ports/read-limits.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { BackupRepairs } from './backup-repairs.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';

/** Maximum number of snapshots named in a finding; others are only counted. */
const MAX_NAMED = 3;
/** Codes of errors of a folder without backups, or with backups of a newer version. */
const NO_BACKUPS = ['invalid_request', 'unavailable'];

export interface StoredDataCheckParts {
  records: DatasetRecordRepository;
  folders: Pick<DatasetFolders, 'findDamagedSnapshots'>;
  originals: Pick<StoredOriginals, 'listDamaged'>;
  backups: Pick<Backups, 'checkLatest'>;
  repairs: BackupRepairs;
  settings: Pick<SettingsService, 'get'>;
  log: Log;
}

/** What a check found: what was restored from a backup, and what is lost. */
export interface Findings {
  restored: Message[];
  lost: Message[];
}

/** Reads stored data that cannot be computed again: snapshots, originals, the latest backup. Restores what a backup still has. */
export class StoredDataCheck {
  readonly #parts: StoredDataCheckParts;

  constructor(parts: StoredDataCheckParts) {
    this.#parts = parts;
  }

  async checkSnapshots(datasetId: string, limits: ReadLimits): Promise<Findings> {
    const { records, folders, repairs } = this.#parts;
    const tried = new Set<string>();
    let count = 0;
    for (;;) {
      const { snapshot_ids, blocks, files } = await folders.findDamagedSnapshots(
        datasetId,
        records.listSnapshots(datasetId).keys(),
        limits,
      );
      const lost = files.filter(({ path }) => !tried.has(path));
      for (const { path } of lost) tried.add(path);
      const nRestored =
        (await repairs.restoreBlocks(datasetId, blocks, limits.signal)) +
        (await repairs.restoreFiles(lost, limits.signal));
      count += nRestored;
      // A restored list of blocks or manifest may name others that are missing.
      if (nRestored > 0) continue;
      // A snapshot may have been deleted meanwhile.
      const left = records.listSnapshots(datasetId);
      const names = snapshot_ids.flatMap((snapshotId) => left.get(snapshotId) ?? []);
      return {
        restored: count === 0 ? [] : [message('snapshot_blocks_restored', { count })],
        lost: names.length === 0 ? [] : [snapshotsDamaged(names)],
      };
    }
  }

  async checkOriginals(datasetId: string, limits: ReadLimits): Promise<Findings> {
    const { records, originals, repairs } = this.#parts;
    const damaged: string[] = [];
    for (const batchId of records.listFirstHeldMediaFolders(datasetId))
      damaged.push(...(await originals.listDamaged(batchId, limits)));
    const count = await repairs.restoreOriginals(damaged, limits.signal);
    const nLost = damaged.length - count;
    return {
      restored: count === 0 ? [] : [message('originals_restored', { count })],
      lost: nLost === 0 ? [] : [message('originals_damaged', { count: nLost })],
    };
  }

  /** Reads the latest backup of the folder in the settings. A folder that is missing or empty, as on a disconnected drive, is no finding. */
  async checkLatestBackup(limits: ReadLimits): Promise<{ backup_id: string | null; findings: Message[] }> {
    const { backups, settings, log } = this.#parts;
    const folder = settings.get('BACKUP_FOLDER');
    if (folder === '') return { backup_id: null, findings: [] };
    try {
      const { backup_id, n_damaged, n_unreadable } = await backups.checkLatest(folder, limits);
      const findings = [
        ...(n_damaged === 0 ? [] : [message('backup_damaged', { count: n_damaged })]),
        ...(n_unreadable === 0 ? [] : [message('backups_unreadable', { count: n_unreadable })]),
      ];
      return { backup_id, findings };
    } catch (error) {
      limits.signal.throwIfAborted();
      log.warn({ err: error }, 'the latest backup could not be checked');
      if (error instanceof AppError && NO_BACKUPS.includes(error.code)) return { backup_id: null, findings: [] };
      return { backup_id: null, findings: [message('backup_folder_unreadable', { problem: problemOf(error) })] };
    }
  }
}

/** @returns The code of an error of the operating system, such as EIO; the reason of others. */
function problemOf(error: unknown): Message {
  if (error instanceof AppError) return error.reason;
  return message('error_code', {
    code: error instanceof Error && 'code' in error ? String(error.code) : String(error),
  });
}

function snapshotsDamaged(damaged: readonly string[]): Message {
  const named = damaged.slice(0, MAX_NAMED).map((name) => `"${name}"`);
  const more = damaged.length - MAX_NAMED;
  const names = named.join(', ');
  return message('snapshots_damaged', {
    count: damaged.length,
    names: more > 0 ? message('names_and_more', { names, n: wholeNumber(more) }) : names,
  });
}
