import { create } from 'zustand';
import type { DroppedFile } from './dropped-files.ts';

/** Initial content of the add-media dialog. */
export type AddMediaSource =
  | { kind: 'none' }
  | { kind: 'location'; path: string }
  | { kind: 'files'; files: readonly DroppedFile[] };

interface AddMediaRequest {
  datasetId: string | null;
  source: AddMediaSource;
  open(datasetId: string, source?: AddMediaSource): void;
  close(): void;
}

/** Opens the add-media dialog of a dataset from any screen. The frame renders it. */
export const useAddMediaRequest = create<AddMediaRequest>()((set) => ({
  datasetId: null,
  source: { kind: 'none' },
  open: (datasetId, source = { kind: 'none' }) => set({ datasetId, source }),
  close: () => set({ datasetId: null }),
}));
