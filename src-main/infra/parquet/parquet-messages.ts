import { threadPort } from '../threads/thread-port.ts';
import type { ParquetRows, ParquetTable } from './read-parquet.ts';

/** Calls that the thread of one file answers. */
export interface ParquetFile {
  open(): Promise<Pick<ParquetTable, 'columns' | 'n_rows' | 'key_values'>>;
  /** Returns the next rows as `ParquetTable.rows`, with equal arguments in every call; null after the last row. */
  next(columns: string[], vectorColumn?: string): Promise<ParquetRows | null>;
}

export const PARQUET_FILE = threadPort<ParquetFile>('parquet', { open: true, next: true });
