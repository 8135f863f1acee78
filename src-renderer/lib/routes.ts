import { useSearchParameters } from './location.ts';

/** Granularity of clusters, 0 finest. */
export const THRESHOLDS = [0, 1, 2, 3, 4] as const;
export type Threshold = (typeof THRESHOLDS)[number];
export const DEFAULT_THRESHOLD: Threshold = 2;

/** How a dataset is looked at: its granularity, or the search that is on. */
export interface ExplorePlace {
  threshold?: Threshold | undefined;
  /** Media id of the picture that results are like. */
  anchor?: string | undefined;
}

/** Where a picture was opened from, so that its neighbours and the way back are known. */
export interface ItemPlace extends ExplorePlace {
  cluster?: string | undefined;
  /** Position among its neighbours. */
  at?: number | undefined;
}

function query(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

/** Addresses of every screen. */
export const routes = {
  inventory: () => '/',
  explore: (datasetId: string, place: ExplorePlace = {}) =>
    `/dataset/${datasetId}${query({ threshold: place.threshold, anchor: place.anchor })}`,
  cluster: (datasetId: string, clusterId: string, place: ExplorePlace = {}) =>
    `/dataset/${datasetId}/cluster/${clusterId}${query({ threshold: place.threshold, anchor: place.anchor })}`,
  item: (datasetId: string, imageId: string, place: ItemPlace = {}) =>
    `/dataset/${datasetId}/item/${imageId}${query({ ...place })}`,
  fileErrors: (datasetId: string, kind?: string) => `/dataset/${datasetId}/errors${query({ kind })}`,
  data: (datasetId: string) => `/dataset/${datasetId}/data`,
  tasks: () => '/tasks',
  settings: () => '/settings',
};

/** The dataset that a path (as `useHashPath` gives it) is within. */
export function datasetOfPath(path: string): string | undefined {
  return /^\/dataset\/([^/]+)/.exec(path)?.[1];
}

/** A full link to an address of this app. */
export function linkTo(address: string): string {
  return `${window.location.href.split('#')[0]}#${address}`;
}

function thresholdOf(text: string | null): Threshold {
  return THRESHOLDS.find((threshold) => String(threshold) === text) ?? DEFAULT_THRESHOLD;
}

/** The query of the current address, parsed. */
export function usePlace(): ItemPlace & { threshold: Threshold; kind: string | undefined } {
  const search = useSearchParameters();
  const at = Number(search.get('at') ?? Number.NaN);
  return {
    threshold: thresholdOf(search.get('threshold')),
    cluster: search.get('cluster') ?? undefined,
    anchor: search.get('anchor') ?? undefined,
    at: Number.isInteger(at) && at >= 0 ? at : undefined,
    kind: search.get('kind') ?? undefined,
  };
}
