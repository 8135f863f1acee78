import { create } from 'zustand';

interface DeletedDatasets {
  ids: ReadonlySet<string>;
  note(datasetId: string): void;
}

/** Datasets that were deleted while the page was open, as the core told: others that are gone may only not be shown any more. */
export const useDeletedDatasets = create<DeletedDatasets>()((set, get) => ({
  ids: new Set(),
  note: (datasetId) => set({ ids: new Set([...get().ids, datasetId]) }),
}));
