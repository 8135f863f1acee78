import { create } from 'zustand';
import { type Dataset, SOURCE_TYPES } from '../../../src-main/contract/schemas/dataset.ts';
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

export type Facet = 'state' | 'owner' | 'media' | 'source';

/** Properties by which datasets are filtered: their values in order, and those of a dataset. */
export const FACETS: readonly { facet: Facet; values: readonly string[]; of(dataset: Dataset): readonly string[] }[] = [
  { facet: 'state', values: STATE_ORDER, of: (dataset) => [stateOf(dataset)] },
  { facet: 'owner', values: ['mine', 'others'], of: ({ owned_by }) => [owned_by === 'ME' ? 'mine' : 'others'] },
  {
    facet: 'media',
    values: ['IMAGES', 'VIDEOS', 'OBJECTS'],
    of: ({ n_images, n_videos, n_objects }) => [
      ...(n_images > 0 ? ['IMAGES'] : []),
      ...(n_videos > 0 ? ['VIDEOS'] : []),
      ...(n_objects > 0 ? ['OBJECTS'] : []),
    ],
  },
  { facet: 'source', values: SOURCE_TYPES, of: ({ source_type }) => [source_type] },
];

/** Chosen values by facet. A dataset has one of the values of each facet with any. */
type Filters = Readonly<Record<Facet, readonly string[]>>;

export const NO_FILTERS: Filters = { state: [], owner: [], media: [], source: [] };

export function countFilters(filters: Filters): number {
  return Object.values(filters).reduce((sum, values) => sum + values.length, 0);
}

interface Inventory {
  search: string;
  filters: Filters;
  sort: Sort;
  set(change: Partial<Pick<Inventory, 'search' | 'filters' | 'sort'>>): void;
}

/** Search, filters and order of the list of datasets, retained while the app is open. */
export const useInventory = create<Inventory>()((set) => ({
  search: '',
  filters: NO_FILTERS,
  sort: 'newest',
  set: (change) => set(change),
}));

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

/** Datasets that match the filters and whose name, description, source or owner contains the text, in order. Failed datasets are always first. */
export function arrange(
  datasets: readonly Dataset[],
  { search, filters, sort }: Pick<Inventory, 'search' | 'filters' | 'sort'>,
): Dataset[] {
  const searched = search.trim().toLocaleLowerCase();
  const isMatch = (dataset: Dataset) =>
    FACETS.every(({ facet, of }) => {
      const chosen = filters[facet];
      return chosen.length === 0 || of(dataset).some((value) => chosen.includes(value));
    });
  const hasText = ({ display_name, description, source_uri, created_by }: Dataset) =>
    [display_name, description, source_uri, created_by].some((text) => text.toLocaleLowerCase().includes(searched));
  return datasets
    .filter((dataset) => isMatch(dataset) && hasText(dataset))
    .toSorted((a, b) => failedFirst(a) - failedFirst(b) || COMPARE[sort](a, b));
}

function failedFirst(dataset: Dataset): number {
  return stateOf(dataset) === 'failed' ? 0 : 1;
}
