import { create } from 'zustand';
import { type Place, routes } from './routes.ts';

export interface GridPlace {
  offsetPx: number;
  focused: number;
  /** Column of the focused cell; absent in a grid of tiles. */
  column?: number;
}

interface ScrollMemory {
  places: ReadonlyMap<string, GridPlace>;
  remember(key: string, place: GridPlace): void;
  /** A tile was opened, so that the focus returns to it on the way back. */
  see(key: string, index: number): void;
}

/** Scroll position and focused tile of each grid, restored when the user returns. */
export const useScrollMemory = create<ScrollMemory>()((set) => ({
  places: new Map(),
  remember: (key, place) => set(({ places }) => ({ places: new Map(places).set(key, place) })),
  see: (key, index) =>
    set(({ places }) => ({
      places: new Map(places).set(key, { offsetPx: 0, ...places.get(key), focused: index }),
    })),
}));

/** Keys of grids. */
export const gridKeys = {
  explored: (datasetId: string, place: Place) => `explored ${routes.explore(datasetId, place)}`,
  listed: (datasetId: string, place: Place) => `listed ${routes.explore(datasetId, place)}`,
};
