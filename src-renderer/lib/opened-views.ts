import { create } from 'zustand';

interface OpenedViews {
  /** By dataset. */
  ids: Readonly<Record<string, string>>;
  open(datasetId: string, viewId: string): void;
}

/** The view of each dataset that Explore was last opened with: what is shown since may take the place of its query. */
export const useOpenedViews = create<OpenedViews>()((set) => ({
  ids: {},
  open: (datasetId, viewId) => set(({ ids }) => ({ ids: { ...ids, [datasetId]: viewId } })),
}));
