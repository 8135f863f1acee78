import { create } from 'zustand';
import type { Place } from './routes.ts';
import type { Part } from './selection.ts';

/** The scopes that the current screen offers. */
export interface ExportScopes {
  /** Results of the filters. undefined without filters. */
  found?: { place: Place; count: number | undefined } | undefined;
  /** The selection. undefined if empty. */
  chosen?: { selection: readonly Part[]; count: number } | undefined;
}

interface ExportRequest {
  datasetId: string | null;
  scopes: ExportScopes;
  open(datasetId: string, scopes?: ExportScopes): void;
  close(): void;
}

/** Opens the export dialog of a dataset from any screen. The frame renders it. */
export const useExportRequest = create<ExportRequest>()((set) => ({
  datasetId: null,
  scopes: {},
  open: (datasetId, scopes = {}) => set({ datasetId, scopes }),
  close: () => set({ datasetId: null }),
}));
