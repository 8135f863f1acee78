import type { StatedChecksum } from '../files/file-checksum.ts';
import { threadPort } from '../threads/thread-port.ts';
import type { ParquetRows, ParquetTable, ParquetVectors } from './read-parquet.ts';

/** Calls that a thread answers, which reads one file at a time. */
export interface ParquetFile {
  open(path: string, stated?: StatedChecksum): Promise<Pick<ParquetTable, 'columns' | 'n_rows' | 'key_values'>>;
  /** Returns the next rows as `ParquetTable.rows`, with equal arguments in every call; null after the last row. */
  next(columns: string[]): Promise<ParquetRows | null>;
  /** Returns the next rows as `ParquetTable.vectors`, in the same way. */
  nextVectors(idColumn: string, vectorColumn: string): Promise<ParquetVectors | null>;
  close(): Promise<void>;
}

export const PARQUET_FILE = threadPort<ParquetFile>('parquet', {
  open: true,
  next: true,
  nextVectors: true,
  close: true,
});
