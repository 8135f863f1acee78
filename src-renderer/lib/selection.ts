import { create } from 'zustand';
import type { ApiInput } from './api.ts';

/** One selected part, in the form of the operations' input. */
export type Part = ApiInput<'exclude'>['media_selection'][number];

/** A selected part: an item or object, a cluster, or all results of a query. */
export interface Chosen {
  part: Part;
  /** Number of items or objects in the part. */
  count: number;
}

interface Selection {
  datasetId: string;
  chosen: ReadonlyMap<string, Chosen>;
  /** Key of the last selected tile, from which a range starts. */
  from: number;
  change(datasetId: string, change: (chosen: Map<string, Chosen>) => void, from?: number): void;
  clear(): void;
}

/** The selection of one dataset, retained while the list changes. */
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

/** The selection in a dataset. */
export function useChosen(datasetId: string): ReadonlyMap<string, Chosen> {
  const { datasetId: of, chosen } = useSelection();
  return of === datasetId ? chosen : NOTHING;
}

const NOTHING: ReadonlyMap<string, Chosen> = new Map();

/** The selection in the form of the operations' input: single items are combined into one part. */
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
