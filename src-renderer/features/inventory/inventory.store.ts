import { create } from 'zustand';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { type DatasetState, stateOf } from '../../lib/datasets.ts';

export const SORTS = [
  'newest',
  'oldest',
  'name_asc',
  'name_desc',
  'largest',
  'smallest',
  'disk',
  'changed',
  'status',
] as const;
export type Sort = (typeof SORTS)[number];

interface Inventory {
  search: string;
  sort: Sort;
  set(change: Partial<Pick<Inventory, 'search' | 'sort'>>): void;
}

/** Search and order of the list of datasets, retained while the app is open. */
export const useInventory = create<Inventory>()((set) => ({
  search: '',
  sort: 'newest',
  set: (change) => set(change),
}));

/** Order of states when sorted by status: those that need attention first. */
const STATE_ORDER: readonly DatasetState[] = [
  'failed',
  'stopped',
  'uploading',
  'indexing',
  'processing',
  'enriching',
  'draft',
  'pending',
  'ready',
];

const COMPARE: Record<Sort, (a: Dataset, b: Dataset) => number> = {
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  oldest: (a, b) => a.created_at.localeCompare(b.created_at),
  largest: (a, b) => sizeOf(b) - sizeOf(a) || byName(a, b),
  smallest: (a, b) => sizeOf(a) - sizeOf(b) || byName(a, b),
  disk: (a, b) => (b.disk_bytes ?? -1) - (a.disk_bytes ?? -1) || byName(a, b),
  changed: (a, b) => b.updated_at.localeCompare(a.updated_at),
  name_asc: (a, b) => byName(a, b),
  name_desc: (a, b) => byName(b, a),
  status: (a, b) => STATE_ORDER.indexOf(stateOf(a)) - STATE_ORDER.indexOf(stateOf(b)) || byName(a, b),
};

/** Number of images and videos. */
function sizeOf({ n_images, n_videos }: Dataset): number {
  return n_images + n_videos;
}

function byName(a: Dataset, b: Dataset): number {
  return a.display_name.localeCompare(b.display_name, 'en', { numeric: true, sensitivity: 'base' });
}

/** Whether a dataset is not listed: the user removed it from the list, and it is still failed. */
export function isDismissed(dataset: Dataset, dismissed: readonly string[]): boolean {
  return stateOf(dataset) === 'failed' && dismissed.includes(dataset.id);
}

/** Datasets whose name contains the text, in order. Failed datasets are always first. */
export function arrange(datasets: readonly Dataset[], search: string, sort: Sort): Dataset[] {
  const searched = search.trim().toLocaleLowerCase();
  return datasets
    .filter((dataset) => dataset.display_name.toLocaleLowerCase().includes(searched))
    .toSorted((a, b) => failedFirst(a) - failedFirst(b) || COMPARE[sort](a, b));
}

function failedFirst(dataset: Dataset): number {
  return stateOf(dataset) === 'failed' ? 0 : 1;
}
