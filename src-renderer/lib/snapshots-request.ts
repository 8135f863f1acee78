import { create } from 'zustand';

interface SnapshotsRequest {
  datasetId: string | null;
  open(datasetId: string): void;
  close(): void;
}

/** Opens the snapshots of a dataset from any screen. The frame renders them. */
export const useSnapshotsRequest = create<SnapshotsRequest>()((set) => ({
  datasetId: null,
  open: (datasetId) => set({ datasetId }),
  close: () => set({ datasetId: null }),
}));
