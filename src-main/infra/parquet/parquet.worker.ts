import type { Answered } from '../threads/answered.ts';
import { serveThread } from '../threads/serve-thread.ts';
import { serve } from '../threads/thread-port.ts';
import { PARQUET_FILE, type ParquetFile } from './parquet-messages.ts';
import { openParquet, type ParquetRows, type ParquetTable } from './read-parquet.ts';

/** Reads Parquet files for `parquet-thread`, one after the other. */
let table: ParquetTable | undefined;
let rows: AsyncGenerator<ParquetRows> | undefined;

const file: Answered<ParquetFile> = {
  open: async (path) => {
    table = await openParquet(path);
    return { columns: table.columns, n_rows: table.n_rows, key_values: table.key_values };
  },
  next: async (columns, vectorColumn) => {
    rows ??= table?.rows(columns, new AbortController().signal, vectorColumn);
    const step = await rows?.next();
    return !step || step.done ? null : step.value;
  },
  close: async () => {
    await table?.close();
    table = undefined;
    rows = undefined;
  },
};

serveThread({ methods: serve(PARQUET_FILE, file), inOrder: true });
