import type { ExportRequest, MadeExport, RequestedUrl } from '../../core/ports/exports.ts';
import type { StoreLocation } from '../dataset-store/thread/store-location.ts';
import { threadPort } from '../threads/thread-port.ts';

/** Input and output file of an export. */
export interface ExportStart {
  location: StoreLocation;
  file: string;
  request: ExportRequest;
  /** Whether somebody waits for a screen: [Note: Who gives way]. */
  claimed: SharedArrayBuffer;
}

/** Calls that the thread answers, one at a time. */
export interface ExportCalls {
  write(start: ExportStart): Promise<MadeExport>;
}

/** Calls that the thread makes to its owner. */
export interface ExportOwner {
  urlsOf(requested: RequestedUrl[]): Promise<string[]>;
  report(done: number, total: number): Promise<void>;
}

export const EXPORT = threadPort<ExportCalls>('export', { write: true });

export const EXPORT_OWNER = threadPort<ExportOwner>('export_owner', { urlsOf: true, report: true });
