import { useMemo } from 'react';
import { DEFAULT_DUPLICATE_LEVEL, DUPLICATE_LEVELS } from '../../src-main/contract/schemas/duplicates.ts';
import { EXPLORED_TYPES, type ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { ITEM_SORTS, type ItemSort } from '../../src-main/contract/schemas/facets.ts';
import { MAP_COLOURS, type MapColour } from '../../src-main/contract/schemas/map.ts';
import { TASK_STATUSES, TASK_TYPES, type TaskStatus, type TaskType } from '../../src-main/contract/schemas/task.ts';
import { type PlaceFilter, printFilters, readFilters } from './filters.ts';
import { useHashPath, useSearchParameters } from './location.ts';

/** Where the service answers in the desktop, where the page is not served by it. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:2080';

/** Granularity of clusters, 0 finest. */
export const THRESHOLDS = [0, 1, 2, 3, 4] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** How the labels that one filters by are meant: an item has one of them, all of them, or none. */
export const LABEL_MODES = ['any', 'all', 'none'] as const;
export type LabelMode = (typeof LABEL_MODES)[number];

/** What words can be compared with; images where nothing is said. */
const TEXT_WITHIN = ['images', 'captions', 'words'] as const;
export type TextWithin = (typeof TEXT_WITHIN)[number];

/** Orders of what is listed one by one. */
export const FLAT_SORTS = ITEM_SORTS.filter((sort) => sort !== 'score');
export type FlatSort = Exclude<ItemSort, 'score'>;

/** How a dataset is looked at: what is listed and how finely it is grouped, or the search that is on. */
export interface ExplorePlace {
  /** What suits the dataset where nothing is said: see `useThreshold`. */
  threshold?: Threshold | undefined;
  /** Images where nothing is said. */
  type?: ExploredType | undefined;
  /** Media id of the image, or the id of the object, that results are like. */
  anchor?: string | undefined;
  /** Whether the anchor is a query image, not an item. */
  uploaded?: boolean | undefined;
  /** The image that an object which is the anchor is on. */
  of?: string | undefined;
  /** Words that results fit; never beside an anchor. */
  text?: string | undefined;
  /** What the words are compared with: what is seen, what captions mean, or the words of all texts. */
  within?: TextWithin | undefined;
  /** Whether a search shows what does not stand out too. */
  beyond?: boolean | undefined;
  /** Only what has these labels, as `labelMode` says. */
  labels?: readonly string[] | undefined;
  labelMode?: LabelMode | undefined;
  /** All else that it must fulfil. */
  filters?: readonly PlaceFilter[] | undefined;
  /** One by one in this order, not in clusters. */
  flat?: FlatSort | undefined;
  descending?: boolean | undefined;
  /** On the map, in these colours, not in clusters. */
  map?: MapColour | undefined;
  /** Whether clusters of one are listed with the others, not in a strip under them. */
  singles?: boolean | undefined;
}

/** Where an image was opened from, so that its neighbours and the way back are known. */
export interface ItemPlace extends ExplorePlace {
  cluster?: string | undefined;
  /** Position among its neighbours. */
  at?: number | undefined;
  /** The object on it that one came to see. */
  object?: string | undefined;
}

/** A place in which what has a default is known. */
export type Place = ItemPlace & {
  threshold: Threshold | undefined;
  type: ExploredType;
  within: TextWithin;
  labels: readonly string[];
  labelMode: LabelMode;
  filters: readonly PlaceFilter[];
};

/** Which models are listed. */
export interface ModelsPlace {
  type?: string | undefined;
  /** Part of a name. */
  find?: string | undefined;
  /** Id of the package that one came for. */
  package?: string | undefined;
}

/** How far back tasks are listed. */
export const TASK_WINDOWS = ['24h', '7d', '14d'] as const;
export type TaskWindow = (typeof TASK_WINDOWS)[number];

export const TASK_SORTS = ['start_time', 'status', 'task_type', 'dataset_name', 'created_by'] as const;
export type TaskSort = (typeof TASK_SORTS)[number];

/** Which tasks are listed, and in what order. */
export interface TasksPlace {
  /** Part of a dataset's name. */
  find?: string | undefined;
  type?: TaskType | undefined;
  status?: TaskStatus | undefined;
  dataset?: string | undefined;
  /** E-mail of who began them. */
  by?: string | undefined;
  within: TaskWindow;
  sort: TaskSort;
  ascending: boolean;
  /** Counted from 1. */
  page: number;
}

/** All tasks of two weeks, the newest first. */
export const ALL_TASKS: TasksPlace = { within: '14d', sort: 'start_time', ascending: false, page: 1 };

/** Which groups of duplicates are looked at. */
export interface DuplicatesPlace {
  /** The least confidence, 0 … 1. */
  level: number;
  page: number;
}

/** Which users are listed. */
export interface UsersPlace {
  find?: string | undefined;
  page: number;
}

/** Which models are chosen for a dataset, and whose preview is looked at. */
export interface EnrichPlace {
  models?: readonly string[] | undefined;
  shown?: string | undefined;
  /** The model that `shown` is compared with. */
  beside?: string | undefined;
}

function listed(ids: readonly string[] | undefined): string | undefined {
  return ids === undefined || ids.length === 0 ? undefined : ids.join(',');
}

function query(parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one));
  }
  return search.size > 0 ? `?${search}` : '';
}

/** Only what the place holds beyond a first look at the images; a whole `usePlace` may be given. */
function ofExplore(place: ExplorePlace) {
  const { threshold, type, anchor, uploaded, of, text, within, beyond, labels = [], labelMode, ...rest } = place;
  return {
    threshold,
    type: type === 'IMAGES' ? undefined : type,
    anchor,
    uploaded: anchor !== undefined && uploaded ? 'true' : undefined,
    of,
    text,
    in: text === undefined || within === 'images' ? undefined : within,
    beyond: text !== undefined && beyond ? 'true' : undefined,
    label: labels,
    labels: labels.length === 0 || labelMode === 'any' ? undefined : labelMode,
    vql: printFilters(rest.filters ?? []),
    flat: rest.flat,
    map: rest.map,
    singles: rest.singles ? 'true' : undefined,
    order: rest.flat !== undefined && rest.descending ? 'desc' : undefined,
  };
}

/** The same place without what results were ordered by; what they were narrowed to stays. */
export function withoutSearch(place: Place): ExplorePlace {
  const { threshold, type, labels, labelMode, filters, flat, descending, map } = place;
  return { threshold, type, labels, labelMode, filters, flat, descending, map };
}

/** Images side by side at most. */
export const MAX_COMPARED = 4;

/** Addresses of every screen. */
export const routes = {
  inventory: () => '/',
  explore: (datasetId: string, place: ExplorePlace = {}) => `/dataset/${datasetId}${query(ofExplore(place))}`,
  cluster: (datasetId: string, clusterId: string, place: ExplorePlace = {}) =>
    `/dataset/${datasetId}/cluster/${clusterId}${query(ofExplore(place))}`,
  item: (datasetId: string, imageId: string, place: ItemPlace = {}) =>
    `/dataset/${datasetId}/item/${imageId}${query({ ...ofExplore(place), cluster: place.cluster, at: place.at, object: place.object })}`,
  /** Of two to {@link MAX_COMPARED} images. */
  compare: (datasetId: string, imageIds: readonly string[], place: ExplorePlace = {}) =>
    `/dataset/${datasetId}/compare/${imageIds.join(',')}${query(ofExplore(place))}`,
  fileErrors: (datasetId: string, kind?: string) => `/dataset/${datasetId}/errors${query({ kind })}`,
  annotationProblems: (datasetId: string) => `/dataset/${datasetId}/annotation-problems`,
  data: (datasetId: string) => `/dataset/${datasetId}/data`,
  duplicates: (datasetId: string, { level, page = 0 }: Partial<DuplicatesPlace> = {}) =>
    `/dataset/${datasetId}/duplicates${query({ level, page: page === 0 ? undefined : page })}`,
  enrich: (datasetId: string, place: EnrichPlace = {}) =>
    `/dataset/${datasetId}/enrich${query({ models: listed(place.models), shown: place.shown, beside: place.beside })}`,
  views: (datasetId: string) => `/dataset/${datasetId}/views`,
  tasks: ({ find, type, status, dataset, by, within, sort, ascending, page }: TasksPlace = ALL_TASKS) =>
    `/tasks${query({
      ...{ find, type, status, dataset, by },
      within: within === ALL_TASKS.within ? undefined : within,
      sort: sort === ALL_TASKS.sort ? undefined : sort,
      order: ascending ? 'asc' : undefined,
      page: page === 1 ? undefined : page,
    })}`,
  models: (place: ModelsPlace = {}) =>
    `/models${query({ type: place.type, find: place.find, package: place.package })}`,
  settings: () => '/settings',
  account: () => '/account',
  api: () => '/api',
  users: ({ find, page }: UsersPlace = { page: 1 }) => `/users${query({ find, page: page === 1 ? undefined : page })}`,
  members: () => '/members',
  audit: (action?: string) => `/audit${query({ action })}`,
  recovery: () => '/recovery',
};

/** The dataset that a path (as `useHashPath` gives it) is within. */
export function datasetOfPath(path: string): string | undefined {
  return /^\/dataset\/([^/]+)/.exec(path)?.[1];
}

/** A full link to an address of this app. */
export function linkTo(address: string): string {
  return `${window.location.href.split('#')[0]}#${address}`;
}

/** The address of something in the API, as other programs reach it. */
export function linkOfApi(path: string): string {
  const origin = window.location.protocol.startsWith('http') ? window.location.origin : DEFAULT_ORIGIN;
  return `${origin}/api/v1${path}`;
}

function thresholdOf(text: string | null): Threshold | undefined {
  return THRESHOLDS.find((threshold) => String(threshold) === text);
}

/** The query of the current address, parsed; the same object while it is the same. */
export function usePlace(): Place & { kind: string | undefined } {
  const search = useSearchParameters();
  return useMemo(() => placeOf(search), [search]);
}

function placeOf(search: URLSearchParams): ReturnType<typeof usePlace> {
  const at = Number(search.get('at') ?? Number.NaN);
  return {
    threshold: thresholdOf(search.get('threshold')),
    type: EXPLORED_TYPES.find((type) => type === search.get('type')) ?? 'IMAGES',
    cluster: search.get('cluster') ?? undefined,
    anchor: search.get('anchor') ?? undefined,
    uploaded: search.get('uploaded') === 'true',
    of: search.get('of') ?? undefined,
    text: search.get('text') ?? undefined,
    within: TEXT_WITHIN.find((within) => within === search.get('in')) ?? 'images',
    beyond: search.get('beyond') === 'true',
    labels: search.getAll('label'),
    labelMode: LABEL_MODES.find((mode) => mode === search.get('labels')) ?? 'any',
    filters: readFilters(search.get('vql')),
    flat: FLAT_SORTS.find((sort) => sort === search.get('flat')),
    descending: search.get('order') === 'desc',
    map: MAP_COLOURS.find((colour) => colour === search.get('map')),
    singles: search.get('singles') === 'true',
    object: search.get('object') ?? undefined,
    at: Number.isInteger(at) && at >= 0 ? at : undefined,
    kind: search.get('kind') ?? undefined,
  };
}

export function useDuplicatesPlace(): DuplicatesPlace {
  const search = useSearchParameters();
  const [level, page] = [search.get('level'), search.get('page')].map(Number);
  return {
    level: DUPLICATE_LEVELS.find((one) => one === level) ?? DEFAULT_DUPLICATE_LEVEL,
    page: page !== undefined && Number.isInteger(page) && page > 0 ? page : 0,
  };
}

export function useTasksPlace(): TasksPlace {
  const search = useSearchParameters();
  const page = Number(search.get('page'));
  return {
    find: search.get('find') ?? undefined,
    type: TASK_TYPES.find((type) => type === search.get('type')),
    status: TASK_STATUSES.find((status) => status === search.get('status')),
    dataset: search.get('dataset') ?? undefined,
    by: search.get('by') ?? undefined,
    within: TASK_WINDOWS.find((window) => window === search.get('within')) ?? ALL_TASKS.within,
    sort: TASK_SORTS.find((sort) => sort === search.get('sort')) ?? ALL_TASKS.sort,
    ascending: search.get('order') === 'asc',
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

export function useUsersPlace(): UsersPlace {
  const search = useSearchParameters();
  const page = Number(search.get('page'));
  return { find: search.get('find') ?? undefined, page: Number.isInteger(page) && page > 1 ? page : 1 };
}

/** What the audit log is narrowed to. */
export function useAuditAction(): string | undefined {
  return useSearchParameters().get('action') ?? undefined;
}

/** The one-time token in the address that the server prints as long as there is no administrator. */
export function useSetupToken(): string | undefined {
  const [path] = useHashPath();
  const token = useSearchParameters().get('token');
  return path === '/setup' ? (token ?? '') : undefined;
}

/** Why an identity provider's answer was of no use. */
export const LOGIN_ERRORS = ['denied', 'failed', 'refused', 'unavailable', 'unverified'] as const;

export function useLoginError(): (typeof LOGIN_ERRORS)[number] | undefined {
  const [path] = useHashPath();
  const error = useSearchParameters().get('error');
  return path === '/login' ? LOGIN_ERRORS.find((one) => one === error) : undefined;
}

export function useModelsPlace(): ModelsPlace {
  const search = useSearchParameters();
  const text = (name: string) => search.get(name) ?? undefined;
  return { type: text('type'), find: text('find'), package: text('package') };
}

export function useEnrichPlace(): EnrichPlace & { models: readonly string[] } {
  const search = useSearchParameters();
  const models = (search.get('models') ?? '').split(',').filter((id) => id !== '');
  return { models, shown: search.get('shown') ?? undefined, beside: search.get('beside') ?? undefined };
}
