import type { Catalog } from '../ports/catalog.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { Log } from '../ports/log.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';

/**
 * Writes the record file of each dataset whose rows in the catalog changed. The transaction of a change marks the record as outdated, so a crash
 * only delays the writing.
 */
export class RecordKeeper {
  readonly #catalog: Catalog;
  readonly #records: DatasetRecordRepository;
  readonly #folders: Pick<DatasetFolders, 'writeRecord'>;
  readonly #log: Log;
  #flushing: Promise<void> = Promise.resolve();
  #isScheduled = false;

  constructor(parts: {
    catalog: Catalog;
    records: DatasetRecordRepository;
    folders: Pick<DatasetFolders, 'writeRecord'>;
    log: Log;
  }) {
    this.#catalog = parts.catalog;
    this.#records = parts.records;
    this.#folders = parts.folders;
    this.#log = parts.log;
  }

  start(): void {
    this.#catalog.onCommit(() => this.#schedule());
    this.#schedule();
  }

  /** Writes all outdated records. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(async () => {
      this.#isScheduled = false;
      await this.flush();
    });
  }

  /** Writes outdated records. Never rejects: a failed record is written again after the next commit. */
  async #write(): Promise<void> {
    try {
      for (const datasetId of this.#records.listUnsaved()) {
        const record = this.#records.read(datasetId);
        if (record) await this.#folders.writeRecord(record);
        this.#records.markSaved(datasetId, record?.revision ?? null);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'the record of a dataset could not be written');
    }
  }
}
