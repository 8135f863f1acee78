import { create } from 'zustand';
import type { MapWindow } from './map-marks.ts';

interface MapStore {
  windows: Readonly<Record<string, MapWindow>>;
  look(key: string, window: MapWindow): void;
}

/** Which part of each map a person looked at, so that going back finds the same. */
export const useMapStore = create<MapStore>()((set) => ({
  windows: {},
  look: (key, window) => set(({ windows }) => ({ windows: { ...windows, [key]: window } })),
}));
