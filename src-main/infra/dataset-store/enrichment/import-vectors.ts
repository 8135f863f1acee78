import type Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import type { VectorCollection } from '../../../core/ports/vector-engine.ts';
import { unitVector } from '../../inference/unit-vector.ts';
import { embeddingColumns } from '../../parquet/embedding-columns.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { ModelResultRepository } from './model-result.repository.ts';

/**
 * Writes the vectors of a Parquet file to the rows of the items that it names, scaled to length 1. If the file has several vectors for an
 * item, the first one counts. Items without a vector become failures of the model.
 * @throws AppError `invalid_request` if no row of the file can be used.
 */
export async function importVectors(
  store: { db: Database.Database; results: ModelResultRepository; vectors: VectorCollection; openParquet: OpenParquet },
  modelId: string,
  parquetFile: string,
): Promise<{ n_matched: number }> {
  const { db, results, vectors } = store;
  const table = await store.openParquet(parquetFile);
  try {
    const columns = embeddingColumns(table.columns);
    results.readNames();
    const matched = new Set<number>();
    for await (const batch of table.rows([columns.item, columns.vector], new AbortController().signal)) {
      for (const [name, values] of batch.rows) {
        const row = typeof name === 'string' ? results.rowOfName(name) : undefined;
        const vector = vectorOf(values, vectors.dim);
        if (row === undefined || vector === undefined || matched.has(row)) continue;
        await vectors.upsert(Int32Array.of(row), vector);
        matched.add(row);
      }
    }
    if (matched.size === 0) {
      throw new AppError('invalid_request', message('embeddings_of_other_items'));
    }
    db.transaction(() => {
      for (let fromRow = 0; ; ) {
        const page = results.listImages(fromRow, 1000);
        for (const { row, media_id } of page) {
          if (!matched.has(row)) results.addFailure(media_id, modelId, message('embedding_missing'));
        }
        const last = page.at(-1);
        if (!last) break;
        fromRow = last.row + 1;
      }
    })();
    return { n_matched: matched.size };
  } finally {
    await table.close();
  }
}

/** Returns undefined unless the value is a list of `dim` finite numbers that are not all 0. */
function vectorOf(values: unknown, dim: number): Float32Array | undefined {
  if (!(Array.isArray(values) || values instanceof Float32Array || values instanceof Float64Array)) return undefined;
  if (values.length !== dim) return undefined;
  const vector = unitVector(Float32Array.from(values as ArrayLike<number>, Number));
  return vector.some((value) => value !== 0) ? vector : undefined;
}
