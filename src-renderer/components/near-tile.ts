import { createContext } from 'react';

/** Whether the pointer or the focus is on the tile around. */
export const NearTile = createContext(false);
