import { create } from 'zustand';
import type { MapWindow } from './map-marks.ts';

interface MapStore {
  windows: Readonly<Record<string, MapWindow>>;
  look(key: string, window: MapWindow): void;
}

/** The visible part of each map, restored when the user returns. */
export const useMapStore = create<MapStore>()((set) => ({
  windows: {},
  look: (key, window) => set(({ windows }) => ({ windows: { ...windows, [key]: window } })),
}));
