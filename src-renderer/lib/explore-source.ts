import {
  CLUSTERS_PER_PAGE,
  type Cluster,
  type ExploreResult,
  type Preview,
} from '../../src-main/contract/schemas/explore.ts';
import { isComparing, type PlaceFilter, readFilters } from './filters.ts';
import { useThreshold } from './granularity.ts';
import { type LabelMode, linkOfApi, type Place, type Threshold } from './routes.ts';
import { useOperation } from './use-operation.ts';
import { type Paged, pageQuery, usePaged } from './use-paged.ts';

/** Items asked for at a time. */
const ITEMS_PER_PAGE = 100;

const LABEL_OPERATORS: Record<LabelMode, string> = { any: 'one_of', all: 'is', none: 'not_one_of' };

/** Words, and labels of a place, as the filters that the core knows. */
export function wordsFilter(text: string): PlaceFilter {
  return { text: { op: 'fts', value: text } };
}

export function labelsFilter({ labels, labelMode }: Pick<Place, 'labels' | 'labelMode'>): PlaceFilter {
  return { labels: { op: LABEL_OPERATORS[labelMode], value: labels } };
}

/** What Explore is asked for a place: words and labels as the filters that it knows. */
function filtersOf({ text, within, beyond, labels, labelMode, filters: others }: Place) {
  const filters = [
    ...(text !== undefined && within === 'words' ? [wordsFilter(text)] : []),
    ...(text !== undefined && within === 'images' ? [{ text: { op: 'semantic', value: text } }] : []),
    ...(labels.length > 0 ? [labelsFilter({ labels, labelMode })] : []),
    ...others,
  ];
  return {
    ...(text !== undefined && within === 'captions' ? { caption: text } : {}),
    ...(text !== undefined && !beyond ? { within_cut_off: true } : {}),
    ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }),
  };
}

/** Whether a place lists what was searched, best first, rather than clusters. */
export function isRanked({ anchor, text, filters }: Pick<Place, 'anchor' | 'text' | 'filters'>): boolean {
  return anchor !== undefined || text !== undefined || filters.some(isComparing);
}

/** Whether anything narrows or orders what is listed. */
export function isAsked(place: Place): boolean {
  return isRanked(place) || place.labels.length > 0 || place.filters.length > 0;
}

/** All parameters of Explore that a place stands for, but how finely it groups. */
export function queryOf(place: Place) {
  return { entity_type: place.type, ...anchorOf(place), ...filtersOf(place) };
}

function anchorOf({ anchor, uploaded }: Place) {
  if (anchor === undefined) return {};
  return { anchor_media_id: anchor, anchor_type: uploaded ? ('UPLOAD' as const) : ('MEDIA' as const) };
}

/** The filters of a place in VQL. */
export function vqlOf(place: Place): string | undefined {
  const { caption, vql } = filtersOf(place);
  if (caption === undefined) return vql;
  return JSON.stringify([{ captions: { op: 'semantic', value: caption } }, ...readFilters(vql ?? null)]);
}

/** The call that answers what a place shows. */
export function asCurl(datasetId: string, place: Place, threshold: Threshold | undefined): string {
  const { flat, descending } = place;
  const shown = flat === undefined ? { threshold } : { sort_by: flat, sort_order: descending ? 'desc' : 'asc' };
  const parameters = Object.entries({ ...queryOf(place), ...shown }).flatMap(([name, value]) =>
    value === undefined ? [] : ` \\\n  --data-urlencode '${name}=${String(value).replaceAll("'", "'\\''")}'`,
  );
  return `curl -G '${linkOfApi(`/explore/${datasetId}${flat === undefined ? '' : '/items'}`)}'${parameters.join('')}`;
}

/** What a place finds, one by one. */
export function useItems(datasetId: string, place: Place, enabled = true): Paged<Preview> {
  const asked = {
    dataset_id: datasetId,
    ...queryOf(place),
    sort_by: place.flat,
    sort_order: place.descending ? ('desc' as const) : ('asc' as const),
    page_size: ITEMS_PER_PAGE,
  };
  return usePaged<Preview>({
    key: JSON.stringify(asked),
    pageSize: ITEMS_PER_PAGE,
    enabled,
    page: (pageNumber) =>
      pageQuery('list_items', { ...asked, page_number: pageNumber }, ({ items, total }) => ({ items, total })),
  });
}

/** What was read so far of a dataset that is indexed for the first time. */
export function useArrivals(datasetId: string): Paged<Preview> {
  const asked = { dataset_id: datasetId, page_size: ITEMS_PER_PAGE };
  return usePaged<Preview>({
    key: JSON.stringify(asked),
    pageSize: ITEMS_PER_PAGE,
    page: (pageNumber) =>
      pageQuery('list_arrivals', { ...asked, page_number: pageNumber }, ({ items, total }) => ({ items, total })),
  });
}

/** How many of what a place finds have which value. */
export function useFacets(datasetId: string, place: Place) {
  return useOperation(
    'get_facets',
    { dataset_id: datasetId, ...queryOf(place) },
    { staleTime: 60_000, placeholderData: (before) => before },
  );
}

/** Explore's clusters; videos and the matches of a search at the finest granularity, so that each is one thing, not a crowd. */
export function useExplore(datasetId: string, place: Place, enabled = true): Paged<Cluster> {
  const isFinest = isRanked(place) || place.type === 'VIDEOS';
  const threshold = useThreshold(datasetId, isFinest ? { ...place, threshold: 0 } : place, enabled);
  const asked = { dataset_id: datasetId, entity_type: place.type, threshold, ...filtersOf(place) };
  const { anchor, uploaded } = place;
  const pageOf = ({ clusters, metadata }: ExploreResult) => ({
    items: clusters,
    total: metadata.total_clusters,
    within: metadata.total_items,
    singles: metadata.total_singles,
  });
  return usePaged<Cluster>({
    key: JSON.stringify({ ...asked, ...anchorOf(place) }),
    pageSize: CLUSTERS_PER_PAGE,
    enabled: enabled && threshold !== undefined,
    page: (pageNumber) => {
      const page = { ...asked, page_number: pageNumber };
      if (anchor === undefined || uploaded) return pageQuery('explore', { ...page, ...anchorOf(place) }, pageOf);
      return pageQuery('find_similar', { ...page, media_id: anchor }, pageOf);
    },
  });
}

/** The items of one cluster that fit the place, the most typical first. */
export function useClusterItems(datasetId: string, clusterId: string | undefined, place: Place): Paged<Preview> {
  const asked = {
    dataset_id: datasetId,
    cluster_id: clusterId ?? '',
    page_size: ITEMS_PER_PAGE,
    ...filtersOf(place),
  };
  return usePaged<Preview>({
    key: JSON.stringify(asked),
    pageSize: ITEMS_PER_PAGE,
    enabled: clusterId !== undefined,
    page: (pageNumber) =>
      pageQuery('get_cluster', { ...asked, page_number: pageNumber }, ({ items, total, cluster }) => ({
        items,
        total,
        name: cluster.suggested_name,
      })),
  });
}
