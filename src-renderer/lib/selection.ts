import { create } from 'zustand';
import type { ExploredType, Preview } from '../../src-main/contract/schemas/explore.ts';
import type { ApiInput } from './api.ts';
import { readFilters } from './filters.ts';

/** One selected part, in the form of the operations' input. */
export type Part = ApiInput<'exclude'>['media_selection'][number];

/** Key of the part that is all results of a query; other keys are ids. */
export const WHOLE = 'query';

/** What the selection shows of a part: its item, or the first item of a cluster. */
export type Shown = Pick<Preview, 'type' | 'file_name' | 'media_thumb_uri'>;

/** A selected part: an item or object, a cluster, or all results of a query. */
export interface Chosen {
  part: Part;
  /** Number of items or objects in the part. */
  count: number;
  shown?: Shown | undefined;
}

/** Where ranges start: a tile of a list. */
interface RangeStart {
  list: string;
  index: number;
  /** Keys that the last range from here added. The next range from here replaces them. */
  added: readonly string[];
}

interface Selection {
  datasetId: string;
  chosen: ReadonlyMap<string, Chosen>;
  start: RangeStart | undefined;
  change(datasetId: string, change: (chosen: Map<string, Chosen>) => void, start?: RangeStart): void;
  clear(): void;
}

/** The selection of one dataset. It lasts until the user clears it, whatever list or screen of the dataset is shown. */
export const useSelection = create<Selection>()((set) => ({
  datasetId: '',
  chosen: new Map(),
  start: undefined,
  change: (datasetId, change, start) =>
    set((old) => {
      const chosen = new Map(old.datasetId === datasetId ? old.chosen : []);
      change(chosen);
      return { datasetId, chosen, start: start ?? old.start };
    }),
  clear: () => set({ chosen: new Map(), start: undefined }),
}));

/** The selection in a dataset. */
export function useChosen(datasetId: string): ReadonlyMap<string, Chosen> {
  const { datasetId: of, chosen } = useSelection();
  return of === datasetId ? chosen : NOTHING;
}

const NOTHING: ReadonlyMap<string, Chosen> = new Map();

/** The selection in the form of the operations' input: single items are combined into one part. */
export function selectionOf(chosen: Iterable<Chosen>): Part[] {
  const ids: string[] = [];
  const others: Part[] = [];
  for (const { part } of chosen) {
    if (part.type === 'media') ids.push(...part.payload.media_ids);
    else others.push(part);
  }
  return ids.length === 0 ? others : [{ type: 'media', payload: { media_ids: ids } }, ...others];
}

/** Number of selected items and objects. */
export function countOf(chosen: Iterable<Chosen>): number {
  return [...chosen].reduce((sum, { count }) => sum + count, 0);
}

export function chosenItem(mediaId: string, shown?: Shown): Chosen {
  return { part: { type: 'media', payload: { media_ids: [mediaId] } }, count: 1, shown };
}

/** Maximum number of items that a query lists one by one. */
const MAX_LISTED = 1000;

/** The query whose matches are the selected items: single items, one cluster, or all results of a query. Undefined for other selections. */
export function queryOfParts(
  chosen: readonly Chosen[],
  type: ExploredType,
): { entity_type: ExploredType; vql: string } | undefined {
  const parts = selectionOf(chosen);
  const [part] = parts;
  if (part === undefined || parts.length > 1) return undefined;
  if (part.type === 'media') {
    const ids = part.payload.media_ids;
    return ids.length > MAX_LISTED
      ? undefined
      : { entity_type: type, vql: JSON.stringify([{ media: { value: ids } }]) };
  }
  if (part.type === 'cluster') {
    const filters = readFilters(textOf(part.payload.cluster_filters?.vql) ?? null);
    return { entity_type: type, vql: JSON.stringify([...filters, { clusters: { value: [part.payload.cluster_id] } }]) };
  }
  const { vql, ...others } = part.payload;
  const isPlain = others.anchor_media_id === undefined && others.caption === undefined;
  return isPlain ? { entity_type: type, vql: textOf(vql) ?? '[]' } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
