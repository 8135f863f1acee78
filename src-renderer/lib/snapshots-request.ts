import { create } from 'zustand';

interface SnapshotsRequest {
  datasetId: string | null;
  open(datasetId: string): void;
  close(): void;
}

/** Any screen may ask for the snapshots of a dataset; the frame shows them. */
export const useSnapshotsRequest = create<SnapshotsRequest>()((set) => ({
  datasetId: null,
  open: (datasetId) => set({ datasetId }),
  close: () => set({ datasetId: null }),
}));
