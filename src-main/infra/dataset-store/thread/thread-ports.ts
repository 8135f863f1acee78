import type { Inspection, InspectionDepth } from '../../../core/ports/damage.ts';
import type { FoundChanges } from '../../../core/ports/snapshots.ts';
import { threadPort } from '../../threads/thread-port.ts';
import type { StateComparer } from '../snapshots/state-comparer.ts';
import type { ReaderStart, StoreLocation } from './store-location.ts';

/** The methods of a reader thread. A key identifies a generation. */
interface ReaderThread {
  open(key: string, start: ReaderStart): Promise<void>;
  /** @param method `subject.method` of the store. */
  read(key: string, method: string, args: unknown[]): Promise<unknown>;
  /** Closes a generation after its calls. */
  close(key: string): Promise<void>;
}

export const READER = threadPort<ReaderThread>('reader', { open: true, read: true, close: true });

/** Methods of a writer thread in addition to the methods of the store. */
interface WriterThread {
  /** Opens a generation and brings its files up to date, so that readers can open them. */
  open(location: StoreLocation): Promise<void>;
  /** Whether the generation can be closed now without losing work: no file is being read page by page. */
  isAtRest(): Promise<boolean>;
  /** Closes the generation. The thread can open another one. */
  close(): Promise<void>;
}

export const WRITER = threadPort<WriterThread>('writer', { open: true, isAtRest: true, close: true });

/** The method of an inspection thread. */
interface InspectionThread {
  /** @param megabytesPerS Maximum average; undefined for no limit. @returns What was found, and the number of bytes that were read. */
  inspect(
    dataset: { dataset_id: string; generation: number },
    depth: InspectionDepth,
    megabytesPerS: number | undefined,
  ): Promise<{ inspection: Inspection | undefined; read_bytes: number }>;
}

/** Start data of the thread that inspects datasets. */
export interface InspectionStart {
  dataFolder: string;
  /** Whether somebody waits for a screen: [Note: Who gives way]. */
  claimed: SharedArrayBuffer;
}

export const INSPECTION = threadPort<InspectionThread>('inspection', { inspect: true });

export const COMPARISON = threadPort<{ list(...args: Parameters<StateComparer['list']>): Promise<FoundChanges> }>(
  'comparison',
  { list: true },
);
