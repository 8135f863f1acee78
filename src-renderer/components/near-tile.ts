import { createContext } from 'react';

/** Whether the pointer or the focus is on the surrounding tile. */
export const NearTile = createContext(false);
