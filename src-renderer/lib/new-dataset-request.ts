import { create } from 'zustand';
import type { DroppedFile } from './dropped-files.ts';

/** Initial content of the new-dataset dialog. */
export type NewDatasetSource =
  | { kind: 'none' }
  | { kind: 'folder'; path: string }
  | { kind: 'files'; files: readonly DroppedFile[] }
  | { kind: 'resume'; datasetId: string; name: string; files: readonly DroppedFile[] };

interface NewDatasetRequest {
  source: NewDatasetSource | null;
  open(source?: NewDatasetSource): void;
  close(): void;
}

/** Opens the new-dataset dialog from any screen. The frame renders it. */
export const useNewDatasetRequest = create<NewDatasetRequest>()((set) => ({
  source: null,
  open: (source = { kind: 'none' }) => set({ source }),
  close: () => set({ source: null }),
}));
