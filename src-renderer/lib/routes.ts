import { useMemo } from 'react';
import { DEFAULT_DUPLICATE_LEVEL, DUPLICATE_LEVELS } from '../../src-main/contract/schemas/duplicates.ts';
import { EXPLORED_TYPES, type ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { ITEM_SORTS, type ItemSort } from '../../src-main/contract/schemas/facets.ts';
import { MAP_COLOURS, type MapColour } from '../../src-main/contract/schemas/map.ts';
import { REVIEW_KINDS, type ReviewKind } from '../../src-main/contract/schemas/review.ts';
import { TASK_STATUSES, TASK_TYPES, type TaskStatus, type TaskType } from '../../src-main/contract/schemas/task.ts';
import { type PlaceFilter, printFilters, readFilters } from './filters.ts';
import { useHashPath, useSearchParameters } from './location.ts';

/** Address of the service on the desktop, where the page is not served by it. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:2080';

/** Granularity of clusters, 0 is finest. */
export const THRESHOLDS = [0, 1, 2, 3, 4] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** How label filters combine: any of them, all of them, or none. */
export const LABEL_MODES = ['any', 'all', 'none'] as const;
export type LabelMode = (typeof LABEL_MODES)[number];

/** The content with which text is compared. Default: images. */
const TEXT_WITHIN = ['images', 'captions', 'words'] as const;
export type TextWithin = (typeof TEXT_WITHIN)[number];

/** Orders of the flat list. */
export const FLAT_SORTS = ITEM_SORTS.filter((sort) => sort !== 'score');
export type FlatSort = Exclude<ItemSort, 'score'>;

/** The Explore view of a dataset: type, granularity or layout, and the search and filters. */
export interface ExplorePlace {
  /** Undefined for the dataset's default. See `useThreshold`. */
  threshold?: Threshold | undefined;
  /** Default: images. */
  type?: ExploredType | undefined;
  /** Media id of the query image, or id of the query object. */
  anchor?: string | undefined;
  /** Whether the anchor is a query image rather than an item. */
  uploaded?: boolean | undefined;
  /** The image of an anchor that is an object. */
  of?: string | undefined;
  /** Text of a search. Never together with an anchor. */
  text?: string | undefined;
  /** The content with which the text is compared: image embeddings, caption embeddings, or words. */
  within?: TextWithin | undefined;
  /** Whether a search also shows weak matches. */
  beyond?: boolean | undefined;
  /** Label filter, combined as `labelMode` says. */
  labels?: readonly string[] | undefined;
  labelMode?: LabelMode | undefined;
  /** Other filters. */
  filters?: readonly PlaceFilter[] | undefined;
  /** Flat list in this order, instead of clusters. */
  flat?: FlatSort | undefined;
  descending?: boolean | undefined;
  /** Name of the custom field of the order `metadata`. */
  sortField?: string | undefined;
  /** Table instead of a grid, in the order of `flat`. */
  table?: boolean | undefined;
  /** Map in these colours, instead of clusters. */
  map?: MapColour | undefined;
  /** Cluster level, custom field or label of the colours. */
  mapBy?: string | undefined;
  /** Charts instead of clusters. */
  charts?: boolean | undefined;
  /** Lists the items of this cluster only. */
  cluster?: string | undefined;
  /** Lists the clusters that people hid, instead of the others. */
  hidden?: boolean | undefined;
  /** Whether clusters of one are listed with the others, instead of a strip below. */
  singles?: boolean | undefined;
}

/** The place from which an image was opened, for its neighbours and the way back. */
export interface ItemPlace extends ExplorePlace {
  /** Index among its neighbours. */
  at?: number | undefined;
  /** The object on the image to highlight. */
  object?: string | undefined;
}

/** A place with all defaults filled in. */
export type Place = ItemPlace & {
  threshold: Threshold | undefined;
  type: ExploredType;
  within: TextWithin;
  labels: readonly string[];
  labelMode: LabelMode;
  filters: readonly PlaceFilter[];
};

/** Filters of the models page. */
export interface ModelsPlace {
  type?: string | undefined;
  /** Part of a name. */
  find?: string | undefined;
  /** Id of the package to highlight. */
  package?: string | undefined;
}

/** Period of the listed tasks. */
export const TASK_WINDOWS = ['24h', '7d', '14d'] as const;
export type TaskWindow = (typeof TASK_WINDOWS)[number];

const TASK_SORTS = ['start_time', 'status', 'task_type', 'dataset_name', 'created_by'] as const;
export type TaskSort = (typeof TASK_SORTS)[number];

/** Filters and order of the tasks page. */
export interface TasksPlace {
  /** Part of a dataset's name. */
  find?: string | undefined;
  type?: TaskType | undefined;
  status?: TaskStatus | undefined;
  dataset?: string | undefined;
  /** E-mail of the user who started them. */
  by?: string | undefined;
  within: TaskWindow;
  sort: TaskSort;
  ascending: boolean;
  /** Counted from 1. */
  page: number;
}

/** All tasks of two weeks, newest first. */
export const ALL_TASKS: TasksPlace = { within: '14d', sort: 'start_time', ascending: false, page: 1 };

/** Similarity and page of the duplicates review. */
export interface DuplicatesPlace {
  /** Minimum similarity, 0 to 1. */
  level: number;
  page: number;
}

/** A queue of the review: a doubt, the least similarity of duplicates, and the least confidence of an issue. */
export interface ReviewPlace {
  kind: ReviewKind;
  level?: number | undefined;
  least?: number | undefined;
}

/** Filters of the users page. */
export interface UsersPlace {
  find?: string | undefined;
  page: number;
}

/** Chosen models of a dataset, and the previewed one. */
export interface EnrichPlace {
  models?: readonly string[] | undefined;
  shown?: string | undefined;
  /** The model with which `shown` is compared. */
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

/** The parts of a place that differ from the default. Also accepts the whole result of `usePlace`. */
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
    field: rest.flat === 'metadata' ? rest.sortField : undefined,
    table: rest.table ? 'true' : undefined,
    map: rest.map,
    by: rest.map === undefined ? undefined : rest.mapBy,
    charts: rest.charts ? 'true' : undefined,
    hidden: rest.hidden ? 'true' : undefined,
    singles: rest.singles ? 'true' : undefined,
    order: rest.flat !== undefined && rest.descending ? 'desc' : undefined,
  };
}

/** The place without its ranking. Filters stay. */
export function withoutSearch(place: Place): ExplorePlace {
  const { threshold, type, cluster, labels, labelMode, filters, flat, descending, sortField, table, map, mapBy } =
    place;
  return { threshold, type, cluster, labels, labelMode, filters, flat, descending, sortField, table, map, mapBy };
}

/** Maximum number of images side by side. */
export const MAX_COMPARED = 4;

/** The filter that lists excluded items. */
export const EXCLUDED: PlaceFilter = { excluded: { op: 'is', value: true } };

/** Addresses of every screen. */
export const routes = {
  inventory: () => '/',
  /** The dataset, or the cluster of the place. */
  explore: (datasetId: string, place: ExplorePlace = {}) =>
    `/dataset/${datasetId}${place.cluster === undefined ? '' : `/cluster/${place.cluster}`}${query(ofExplore(place))}`,
  /** The excluded items, in the order in which they were added. */
  excluded: (datasetId: string, type?: ExploredType): string =>
    routes.explore(datasetId, { type, flat: 'created', filters: [EXCLUDED] }),
  /** A cluster of the list that a place shows: its items as tiles. */
  cluster: (datasetId: string, clusterId: string, place: ExplorePlace = {}): string =>
    routes.explore(datasetId, { ...place, cluster: clusterId, hidden: false }),
  item: (datasetId: string, imageId: string, place: ItemPlace = {}) =>
    `/dataset/${datasetId}/item/${imageId}${query({ ...ofExplore(place), cluster: place.cluster, at: place.at, object: place.object })}`,
  /** Accepts two to {@link MAX_COMPARED} images. */
  compare: (datasetId: string, imageIds: readonly string[], place: ExplorePlace = {}) =>
    `/dataset/${datasetId}/compare/${imageIds.join(',')}${query({ ...ofExplore(place), cluster: place.cluster })}`,
  fileErrors: (datasetId: string, kind?: string) => `/dataset/${datasetId}/errors${query({ kind })}`,
  annotationProblems: (datasetId: string) => `/dataset/${datasetId}/annotation-problems`,
  data: (datasetId: string) => `/dataset/${datasetId}/data`,
  duplicates: (datasetId: string, { level, page = 0 }: Partial<DuplicatesPlace> = {}) =>
    `/dataset/${datasetId}/duplicates${query({ level, page: page === 0 ? undefined : page })}`,
  /** Without a kind: the list of queues. */
  review: (datasetId: string, kind?: ReviewKind, place: ExplorePlace & Omit<ReviewPlace, 'kind'> = {}) =>
    `/dataset/${datasetId}/review${kind === undefined ? '' : `/${kind}`}${query({ ...ofExplore(place), cluster: place.cluster, level: place.level, least: place.least })}`,
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
  assigned: () => '/assigned',
  api: () => '/api',
  users: ({ find, page }: UsersPlace = { page: 1 }) => `/users${query({ find, page: page === 1 ? undefined : page })}`,
  members: () => '/members',
  audit: (action?: string) => `/audit${query({ action })}`,
  recovery: () => '/recovery',
};

/** The dataset in a path (as given by `useHashPath`). */
export function datasetOfPath(path: string): string | undefined {
  return /^\/dataset\/([^/]+)/.exec(path)?.[1];
}

/** A full link to an address of this app. */
export function linkTo(address: string): string {
  return `${window.location.href.split('#')[0]}#${address}`;
}

/** The full address of an API path, for other programs. */
export function linkOfApi(path: string): string {
  const origin = window.location.protocol.startsWith('http') ? window.location.origin : DEFAULT_ORIGIN;
  return `${origin}/api/v1${path}`;
}

function thresholdOf(text: string | null): Threshold | undefined {
  return THRESHOLDS.find((threshold) => String(threshold) === text);
}

/** The parsed query of the current address. The same object while the query is unchanged. */
export function usePlace(): Place & { kind: string | undefined } {
  const search = useSearchParameters();
  const [path] = useHashPath();
  return useMemo(() => placeOf(search, path), [search, path]);
}

function placeOf(search: URLSearchParams, path: string): ReturnType<typeof usePlace> {
  const at = Number(search.get('at') ?? Number.NaN);
  return {
    threshold: thresholdOf(search.get('threshold')),
    type: EXPLORED_TYPES.find((type) => type === search.get('type')) ?? 'IMAGES',
    cluster: /^\/dataset\/[^/]+\/cluster\/([^/]+)/.exec(path)?.[1] ?? search.get('cluster') ?? undefined,
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
    sortField: search.get('field') ?? undefined,
    table: search.get('table') === 'true',
    map: MAP_COLOURS.find((colour) => colour === search.get('map')),
    mapBy: search.get('by') ?? undefined,
    charts: search.get('charts') === 'true',
    hidden: search.get('hidden') === 'true',
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

/** The queue of the current address. @param kind As in the path. */
export function useReviewPlace(kind: ReviewKind): Place & ReviewPlace {
  const place = usePlace();
  const search = useSearchParameters();
  const least = Number(search.get('least') ?? Number.NaN);
  const level = DUPLICATE_LEVELS.find((one) => one === Number(search.get('level')));
  return useMemo(
    () => ({ ...place, kind, level, least: least >= 0 && least <= 1 ? least : undefined }),
    [place, kind, level, least],
  );
}

export function isReviewKind(text: string): text is ReviewKind {
  return REVIEW_KINDS.some((kind) => kind === text);
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

/** Filters of the audit log. */
export function useAuditAction(): string | undefined {
  return useSearchParameters().get('action') ?? undefined;
}

/** The one-time token in the address that the server prints while there is no administrator. */
export function useSetupToken(): string | undefined {
  const [path] = useHashPath();
  const token = useSearchParameters().get('token');
  return path === '/setup' ? (token ?? '') : undefined;
}

/** Why a sign-in at the identity provider failed. */
const LOGIN_ERRORS = ['denied', 'failed', 'refused', 'unavailable', 'unverified'] as const;

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
