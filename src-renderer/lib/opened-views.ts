import { create } from 'zustand';

interface OpenedViews {
  /** By dataset. */
  ids: Readonly<Record<string, string>>;
  open(datasetId: string, viewId: string): void;
}

/** The view with which Explore was last opened for each dataset, which can be updated to the current query. */
export const useOpenedViews = create<OpenedViews>()((set) => ({
  ids: {},
  open: (datasetId, viewId) => set(({ ids }) => ({ ids: { ...ids, [datasetId]: viewId } })),
}));
