import { create } from 'zustand';

interface EditsRequest {
  datasetId: string | null;
  open(datasetId: string): void;
  close(): void;
}

/** Opens the history of a dataset's edits from any screen. The frame renders it. */
export const useEditsRequest = create<EditsRequest>()((set) => ({
  datasetId: null,
  open: (datasetId) => set({ datasetId }),
  close: () => set({ datasetId: null }),
}));
