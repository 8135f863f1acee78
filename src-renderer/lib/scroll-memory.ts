import { create } from 'zustand';

export interface GridPlace {
  offsetPx: number;
  focused: number;
}

interface ScrollMemory {
  places: ReadonlyMap<string, GridPlace>;
  remember(key: string, place: GridPlace): void;
}

/** Where a person was in each grid, so that going back finds the same row and the same tile. */
export const useScrollMemory = create<ScrollMemory>()((set) => ({
  places: new Map(),
  remember: (key, place) => set(({ places }) => ({ places: new Map(places).set(key, place) })),
}));
