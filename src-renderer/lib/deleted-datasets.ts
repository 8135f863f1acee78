import { create } from 'zustand';

interface DeletedDatasets {
  ids: ReadonlySet<string>;
  note(datasetId: string): void;
}

/** Datasets that were deleted while the page was open, from events. Others that disappear may only have been withdrawn. */
export const useDeletedDatasets = create<DeletedDatasets>()((set, get) => ({
  ids: new Set(),
  note: (datasetId) => set({ ids: new Set([...get().ids, datasetId]) }),
}));
