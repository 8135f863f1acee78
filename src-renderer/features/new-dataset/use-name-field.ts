import { useState } from 'react';
import { folderName, freeName } from './suggest-name.ts';

export interface NameField {
  value: string;
  change(value: string): void;
}

/**
 * The dataset's name, suggested from its source until the user types one.
 * @param fixed The name if it cannot be changed any more.
 * @param origin Path or address of the location, or name of the dropped folder or archive. Empty if there is none.
 */
export function useNameField(fixed: string | undefined, origin: string, taken: readonly string[]): NameField {
  const [typed, setTyped] = useState<string | null>(null);
  const base = folderName(origin);
  const suggested = base === '' ? '' : freeName(base, taken);
  return { value: fixed ?? typed ?? suggested, change: setTyped };
}
