import type { Answered } from '../threads/answered.ts';
import { serveThread } from '../threads/serve-thread.ts';
import { serve } from '../threads/thread-port.ts';
import { PARQUET_FILE, type ParquetFile } from './parquet-messages.ts';
import { openParquet, type ParquetRows, type ParquetTable, type ParquetVectors } from './read-parquet.ts';

/** Reads Parquet files for `parquet-thread`, one after the other. */
let table: ParquetTable | undefined;
let rows: AsyncGenerator<ParquetRows> | undefined;
let vectors: AsyncGenerator<ParquetVectors> | undefined;

const file: Answered<ParquetFile> = {
  open: async (path, stated) => {
    table = await openParquet(path, stated);
    return { columns: table.columns, n_rows: table.n_rows, key_values: table.key_values };
  },
  next: (columns) => {
    rows ??= table?.rows(columns, new AbortController().signal);
    return nextOf(rows);
  },
  nextVectors: (idColumn, vectorColumn) => {
    vectors ??= table?.vectors(idColumn, vectorColumn, new AbortController().signal);
    return nextOf(vectors);
  },
  close: async () => {
    await table?.close();
    table = undefined;
    rows = undefined;
    vectors = undefined;
  },
};

async function nextOf<Batch>(batches: AsyncGenerator<Batch> | undefined): Promise<Batch | null> {
  const step = await batches?.next();
  return !step || step.done ? null : step.value;
}

serveThread({ methods: serve(PARQUET_FILE, file), inOrder: true });
