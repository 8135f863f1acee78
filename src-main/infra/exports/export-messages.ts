import type { ExportRequest, MadeExport, WantedUrl } from '../../core/ports/exports.ts';
import type { StoreLocation } from '../dataset-store/thread/store-location.ts';

/** What the thread of an export is started with. */
export interface ExportStart {
  location: StoreLocation;
  file: string;
  request: ExportRequest;
}

/** What the thread answers. */
export interface ExportCalls {
  write(): Promise<MadeExport>;
}

/** What the thread asks of its owner. */
export interface ExportOwner {
  urlsOf(wanted: WantedUrl[]): Promise<string[]>;
  report(done: number, total: number): Promise<void>;
}
