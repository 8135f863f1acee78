import type { Catalog } from '../ports/catalog.ts';

export interface UploadTransactionRow {
  trans_id: number;
  dataset_id: string;
  batch_id: string;
  state: 'open' | 'closed';
}

/** Stores the upload transactions of drafts. */
export class UploadTransactionRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(datasetId: string, batchId: string, createdAt: string): number {
    return this.#catalog.run(
      `INSERT INTO upload_transaction (dataset_id, batch_id, state, created_at) VALUES (:dataset_id, :batch_id, 'open', :created_at)`,
      { dataset_id: datasetId, batch_id: batchId, created_at: createdAt },
    ).last_id;
  }

  find(datasetId: string, transId: number): UploadTransactionRow | undefined {
    return this.#catalog.find<UploadTransactionRow>(
      'SELECT * FROM upload_transaction WHERE trans_id = :trans_id AND dataset_id = :dataset_id',
      { dataset_id: datasetId, trans_id: transId },
    );
  }

  /** Returns the batch that a draft's transactions add to; undefined before the first transaction. */
  findBatch(datasetId: string): string | undefined {
    return this.#catalog.find<{ batch_id: string }>(
      'SELECT batch_id FROM upload_transaction WHERE dataset_id = :dataset_id LIMIT 1',
      { dataset_id: datasetId },
    )?.batch_id;
  }

  /** Closes all transactions of a dataset. Processing one of them ends the draft. */
  closeAll(datasetId: string): void {
    this.#catalog.run(`UPDATE upload_transaction SET state = 'closed' WHERE dataset_id = :dataset_id`, {
      dataset_id: datasetId,
    });
  }
}
