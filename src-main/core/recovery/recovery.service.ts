import pMap from 'p-map';
import { formatMessage, message } from '../../contract/messages.ts';
import type { RecoveryEvent } from '../../contract/schemas/recovery.ts';
import type { CallContext, Principal } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { CatalogOrigin } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetFolders, FoundFolder } from '../ports/dataset-folders.ts';
import type { StoredOriginals } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import { recordOfFacts } from './adopted-record.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';
import type { RecoveryEventRepository } from './recovery-event.repository.ts';

/** Number of dataset folders that are read at the same time. */
const FOLDERS_AT_ONCE = 8;

export interface RecoveryParts {
  records: DatasetRecordRepository;
  rows: RecoveryEventRepository;
  folders: DatasetFolders;
  originals: StoredOriginals;
  exportRows: { listGenerations(datasetId: string): number[] };
  owner: Principal;
  clock: Clock;
  log: Log;
}

/**
 * Reconciles the catalog with the data folder at start. Folders that the catalog does not know are adopted or set aside. Only folders that a
 * deletion has marked are deleted.
 */
export class RecoveryService {
  readonly #parts: RecoveryParts;

  /** The operations that this service handles. */
  readonly handlers = {
    get_recovery: (context) => this.getRecovery(context),
    acknowledge_recovery: (context) => this.acknowledge(context),
  } satisfies SomeHandlers;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  getRecovery(_context: CallContext): { events: RecoveryEvent[]; n_new: number } {
    const events = this.#parts.rows.list();
    return { events, n_new: events.filter(({ acknowledged }) => !acknowledged).length };
  }

  /** Id of the latest event; 0 before the first. */
  latestEventId(): number {
    return this.#parts.rows.list()[0]?.event_id ?? 0;
  }

  /** Events after another, latest first. */
  listAfter(eventId: number): RecoveryEvent[] {
    return this.#parts.rows.list().filter(({ event_id }) => event_id > eventId);
  }

  acknowledge(_context: CallContext): null {
    this.#parts.rows.acknowledgeAll();
    return null;
  }

  /** Records an event for users to read. */
  note(event: Pick<RecoveryEvent, 'kind' | 'dataset_id' | 'name' | 'finding'>): void {
    const { rows, clock, log } = this.#parts;
    log.warn({ ...event, detail: formatMessage(event.finding) }, 'recovery');
    rows.add({ at: clock.iso(), ...event });
  }

  /** Like {@link note}, but skips an event that is already recorded, because each start finds some events again. */
  noteOnce(event: Parameters<RecoveryService['note']>[0]): void {
    if (!this.#parts.rows.has(event)) this.note(event);
  }

  /** Reconciles all folders. A failed folder does not stop the others. Call before tasks run. */
  async reconcile(origin: CatalogOrigin): Promise<void> {
    const { folders, records, log } = this.#parts;
    const found = await folders.list();
    this.#tellOrigin(origin, found);
    if (origin.kind === 'replaced') this.#forgetGone(found);
    const known = records.listRevisions();
    const reconcileOne = async (folder: FoundFolder) => {
      try {
        await this.#reconcileFolder(folder, known.get(folder.dataset_id));
        await this.#reconcileSnapshots(folder.dataset_id, origin);
      } catch (error) {
        log.error({ err: error, dataset_id: folder.dataset_id }, 'a dataset folder could not be adopted');
        const name = String(folder.record?.dataset.display_name ?? folder.dataset_id);
        this.note({
          kind: 'not_restored',
          dataset_id: folder.dataset_id,
          name,
          finding: message('folder_not_adopted'),
        });
      }
    };
    await pMap(found, reconcileOne, { concurrency: FOLDERS_AT_ONCE });
    await this.#reconcileOriginals(found);
  }

  /** Removes datasets without a folder, because a copy of the catalog may be older than a deletion. A folder that reappears is adopted. */
  #forgetGone(found: readonly FoundFolder[]): void {
    const { records } = this.#parts;
    const byId = new Map(found.map((folder) => [folder.dataset_id, folder]));
    for (const [datasetId, { name }] of records.listRevisions()) {
      const folder = byId.get(datasetId);
      if (folder && !folder.is_deleted) continue;
      records.remove(datasetId);
      if (folder) continue;
      this.note({ kind: 'not_restored', dataset_id: datasetId, name, finding: message('folder_lost') });
    }
  }

  #tellOrigin(origin: CatalogOrigin, found: readonly FoundFolder[]): void {
    if (origin.kind === 'kept' || (origin.kind === 'new' && found.every(({ is_empty }) => is_empty))) return;
    const { set_aside: place, copied_at } = origin.kind === 'replaced' ? origin : { set_aside: null, copied_at: null };
    const cause = place === null ? message('catalog_gone') : message('catalog_damaged', { place });
    const outcome = copied_at === null ? message('catalog_rebuilt') : message('catalog_from_copy', { copied_at });
    const finding = message('catalog_replaced', { cause, outcome });
    this.note({ kind: 'catalog_replaced', dataset_id: null, name: 'catalog.db', finding });
  }

  async #reconcileFolder(
    folder: FoundFolder,
    row: { revision: number; generation: number; name: string } | undefined,
  ): Promise<void> {
    const { folders, records } = this.#parts;
    const { dataset_id, record } = folder;
    if (row && folder.is_deleted) {
      // The deletion stopped after setting its mark and was never reported as finished.
      await folders.unmarkDeleted(dataset_id);
      return;
    }
    if (row) {
      if (!record || record.revision <= row.revision) return;
      records.restore(record);
      this.note({
        kind: 'updated',
        dataset_id,
        name: String(record.dataset.display_name),
        finding: message('catalog_outdated'),
      });
      return;
    }
    if (folder.is_deleted) return;
    if (folder.is_empty) await folders.remove(dataset_id);
    else await this.#adopt(folder);
  }

  /**
   * Deletes incomplete snapshots and unused generations. If the catalog was replaced or is new, complete snapshots that it does not know are
   * added to it instead.
   */
  async #reconcileSnapshots(datasetId: string, origin: CatalogOrigin): Promise<void> {
    const { folders, records, exportRows } = this.#parts;
    const row = records.find(datasetId);
    if (!row) return;
    if (origin.kind !== 'kept') {
      const nTaken = records.addSnapshots(datasetId, await folders.listSnapshots(datasetId));
      if (nTaken > 0) {
        const finding = message('snapshots_adopted', { count: nTaken });
        this.note({ kind: 'adopted', dataset_id: datasetId, name: row.name, finding });
      }
    }
    const recorded = records.listSnapshots(datasetId);
    await folders.sweep(datasetId, {
      generation: row.generation,
      generations: exportRows.listGenerations(datasetId),
      isNeeded: (snapshotId) => recorded.has(snapshotId),
    });
  }

  async #adopt({ dataset_id, record, generations }: FoundFolder): Promise<void> {
    const { folders, records, owner, clock } = this.#parts;
    const facts = await folders.readFacts(dataset_id);
    if (record) {
      const stated = Number(record.dataset.generation);
      const generation = generations.includes(stated) ? stated : (generations.at(-1) ?? stated);
      records.restore({ ...record, dataset: { ...record.dataset, generation } });
    } else if (facts) {
      records.restore(recordOfFacts(dataset_id, facts, owner, clock.iso()));
    } else {
      const place = await folders.setAside(dataset_id);
      this.note({
        kind: 'set_aside',
        dataset_id,
        name: dataset_id,
        finding: message('folder_unreadable', { place }),
      });
      return;
    }
    records.holdMediaFolders(dataset_id, facts?.media_folders ?? []);
    this.note({
      kind: 'adopted',
      dataset_id,
      name: String(record?.dataset.display_name ?? `Recovered dataset ${dataset_id.slice(0, 8)}`),
      finding: message(record ? 'dataset_adopted' : 'dataset_adopted_without_record'),
    });
  }

  /** Deletes originals of deleted datasets with their folders, and sets others aside that no dataset uses. */
  async #reconcileOriginals(found: readonly FoundFolder[]): Promise<void> {
    const { folders, originals, records } = this.#parts;
    const held = records.listHeldMediaFolders();
    const known = records.listRevisions();
    for (const { dataset_id, record, is_deleted } of found) {
      if (!is_deleted || known.has(dataset_id)) continue;
      for (const { batch_id } of record?.rows.media_folder ?? []) {
        if (typeof batch_id === 'string' && !held.has(batch_id)) await originals.remove(batch_id);
      }
      await folders.remove(dataset_id);
    }
    for (const batchId of await originals.list()) {
      if (held.has(batchId)) continue;
      const place = await originals.setAside(batchId);
      if (place === undefined) continue;
      this.note({
        kind: 'set_aside',
        dataset_id: null,
        name: `media/${batchId}`,
        finding: message('originals_set_aside', { place }),
      });
    }
  }
}
