import { create } from 'zustand';
import type { Place } from './routes.ts';
import type { Part } from './selection.ts';

/** What is in sight where an export is asked for. */
export interface ExportScopes {
  /** What the filters of a place find; undefined where it has none. */
  found?: { place: Place; count: number | undefined } | undefined;
  /** What is chosen; undefined where nothing is. */
  chosen?: { selection: readonly Part[]; count: number } | undefined;
}

interface ExportRequest {
  datasetId: string | null;
  scopes: ExportScopes;
  open(datasetId: string, scopes?: ExportScopes): void;
  close(): void;
}

/** Any screen may ask for the export dialog of a dataset; the frame shows it. */
export const useExportRequest = create<ExportRequest>()((set) => ({
  datasetId: null,
  scopes: {},
  open: (datasetId, scopes = {}) => set({ datasetId, scopes }),
  close: () => set({ datasetId: null }),
}));
