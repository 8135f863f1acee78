import { create } from 'zustand';
import { type Place, routes } from './routes.ts';

export interface GridPlace {
  offsetPx: number;
  focused: number;
}

interface ScrollMemory {
  places: ReadonlyMap<string, GridPlace>;
  remember(key: string, place: GridPlace): void;
  /** A tile was looked at on a page of its own: the focus goes there on the way back. */
  see(key: string, index: number): void;
}

/** Where a person was in each grid, so that going back finds the same row and the same tile. */
export const useScrollMemory = create<ScrollMemory>()((set) => ({
  places: new Map(),
  remember: (key, place) => set(({ places }) => ({ places: new Map(places).set(key, place) })),
  see: (key, index) =>
    set(({ places }) => ({
      places: new Map(places).set(key, { offsetPx: places.get(key)?.offsetPx ?? 0, focused: index }),
    })),
}));

/** Names of grids. */
export const gridKeys = {
  explored: (datasetId: string, place: Place) => `explored ${routes.explore(datasetId, place)}`,
  listed: (datasetId: string, place: Place) => `listed ${routes.explore(datasetId, place)}`,
  cluster: (datasetId: string, clusterId: string, place: Place) => routes.cluster(datasetId, clusterId, place),
};
