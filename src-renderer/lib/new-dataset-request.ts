import { create } from 'zustand';
import type { DroppedFile } from './dropped-files.ts';

/** What a new dataset starts from. */
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

/** Any screen may ask for the new-dataset dialog; the frame shows it. */
export const useNewDatasetRequest = create<NewDatasetRequest>()((set) => ({
  source: null,
  open: (source = { kind: 'none' }) => set({ source }),
  close: () => set({ source: null }),
}));
