import { create } from 'zustand';
import type { ApiInput } from './api.ts';

/** One thing that is chosen, as operations take it. */
export type Part = ApiInput<'exclude'>['media_selection'][number];

/** Something that is chosen: an item or object, a cluster, or all that a query finds. */
export interface Chosen {
  part: Part;
  /** Items or objects in it. */
  count: number;
}

interface Selection {
  datasetId: string;
  chosen: ReadonlyMap<string, Chosen>;
  /** The tile that was chosen last, from which a range goes. */
  from: number;
  change(datasetId: string, change: (chosen: Map<string, Chosen>) => void, from?: number): void;
  clear(): void;
}

/** What a person has chosen in one dataset, whatever is listed meanwhile. */
export const useSelection = create<Selection>()((set) => ({
  datasetId: '',
  chosen: new Map(),
  from: 0,
  change: (datasetId, change, from) =>
    set((old) => {
      const chosen = new Map(old.datasetId === datasetId ? old.chosen : []);
      change(chosen);
      return { datasetId, chosen, from: from ?? old.from };
    }),
  clear: () => set({ chosen: new Map(), from: 0 }),
}));

/** What is chosen in a dataset. */
export function useChosen(datasetId: string): ReadonlyMap<string, Chosen> {
  const { datasetId: of, chosen } = useSelection();
  return of === datasetId ? chosen : NOTHING;
}

const NOTHING: ReadonlyMap<string, Chosen> = new Map();

/** As operations take it: single items in one part. */
export function selectionOf(chosen: ReadonlyMap<string, Chosen>): Part[] {
  const ids: string[] = [];
  const others: Part[] = [];
  for (const { part } of chosen.values()) {
    if (part.type === 'media') ids.push(...part.payload.media_ids);
    else others.push(part);
  }
  return ids.length === 0 ? others : [{ type: 'media', payload: { media_ids: ids } }, ...others];
}

export function chosenItem(mediaId: string): Chosen {
  return { part: { type: 'media', payload: { media_ids: [mediaId] } }, count: 1 };
}
