import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { DatasetFolders } from '../ports/dataset-folders.ts';
import type { Log } from '../ports/log.ts';
import type { DatasetRecordRepository } from './dataset-record.repository.ts';

/** How long what was committed may lie in the write-ahead log alone. */
const CHECKPOINT_MS = 30_000;

/**
 * Keeps the folders of datasets telling what the catalog knows of them. Changes are noted in the transaction that makes them, so a crash
 * in between only delays it.
 */
export class RecordKeeper {
  readonly #catalog: Catalog;
  readonly #records: DatasetRecordRepository;
  readonly #folders: Pick<DatasetFolders, 'writeRecord'>;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #isScheduled = false;
  #hasCommits = false;

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
    this.#catalog.onCommit(() => {
      this.#hasCommits = true;
      this.#schedule();
    });
    this.#timer = setInterval(() => this.#schedule(true), CHECKPOINT_MS).unref();
    this.#schedule();
  }

  /** Brings every folder up to date. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #schedule(checkpoint = false): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(async () => {
      this.#isScheduled = false;
      await this.flush();
      if (checkpoint) this.#checkpoint();
    });
  }

  /** Never rejects: what cannot be written now is written after the next commit, or in a while. */
  async #write(): Promise<void> {
    try {
      const unsaved = this.#records.listUnsaved();
      for (const datasetId of unsaved) {
        const record = this.#records.read(datasetId);
        if (record) await this.#folders.writeRecord(record);
        this.#records.markSaved(datasetId, record?.revision ?? null);
      }
      if (unsaved.length > 0) this.#checkpoint();
    } catch (error) {
      this.#log.warn({ err: error }, 'the record of a dataset could not be written');
    }
  }

  #checkpoint(): void {
    if (!this.#hasCommits) return;
    this.#hasCommits = false;
    try {
      this.#catalog.checkpoint();
    } catch (error) {
      this.#log.warn({ err: error }, 'the catalog could not be checkpointed');
    }
  }
}
