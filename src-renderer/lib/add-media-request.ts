import { create } from 'zustand';
import type { DroppedFile } from './dropped-files.ts';

/** What an addition starts from. */
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

/** Any screen may ask for the add-media dialog of a dataset; the frame shows it. */
export const useAddMediaRequest = create<AddMediaRequest>()((set) => ({
  datasetId: null,
  source: { kind: 'none' },
  open: (datasetId, source = { kind: 'none' }) => set({ datasetId, source }),
  close: () => set({ datasetId: null }),
}));
