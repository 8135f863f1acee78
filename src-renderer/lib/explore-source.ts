import {
  CLUSTERS_PER_PAGE,
  type Cluster,
  type ExploreResult,
  type Preview,
} from '../../src-main/contract/schemas/explore.ts';
import type { ItemPage, ListedItem } from '../../src-main/contract/schemas/facets.ts';
import { DEFAULT_LABEL_CONFIDENCE } from '../../src-main/contract/schemas/image.ts';
import { type Covered, withCovers } from './cover-place.ts';
import { isComparing, type PlaceFilter, readFilters } from './filters.ts';
import { useThreshold } from './granularity.ts';
import { type LabelMode, linkOfApi, type Place, type Threshold } from './routes.ts';
import { useOperation } from './use-operation.ts';
import { type Paged, pageQuery, usePaged } from './use-paged.ts';

/** Items per request. */
const ITEMS_PER_PAGE = 100;

const LABEL_OPERATORS: Record<LabelMode, string> = { any: 'one_of', all: 'is', none: 'not_one_of' };

/** Text and labels of a place as VQL filters. */
export function wordsFilter(text: string): PlaceFilter {
  return { text: { op: 'fts', value: text } };
}

export function labelsFilter({ labels, labelMode }: Pick<Place, 'labels' | 'labelMode'>): PlaceFilter {
  return { labels: { op: LABEL_OPERATORS[labelMode], value: labels } };
}

/** The Explore request of a place, with text and labels as VQL filters. */
function filtersOf({ text, within, beyond, labels, labelMode, cluster, filters: others }: Place) {
  const filters = [
    ...(text !== undefined && within === 'words' ? [wordsFilter(text)] : []),
    ...(text !== undefined && within === 'images' ? [{ text: { op: 'semantic', value: text } }] : []),
    ...(labels.length > 0 ? [labelsFilter({ labels, labelMode })] : []),
    ...others,
    ...(cluster === undefined ? [] : [{ clusters: { value: [cluster] } }]),
  ];
  return {
    ...(text !== undefined && within === 'captions' ? { caption: text } : {}),
    ...(text !== undefined && !beyond ? { within_cut_off: true } : {}),
    ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }),
  };
}

/** Whether a place lists search results, best first, rather than clusters. */
export function isRanked({ anchor, text, filters }: Pick<Place, 'anchor' | 'text' | 'filters'>): boolean {
  return anchor !== undefined || text !== undefined || filters.some(isComparing);
}

/** Whether anything filters or ranks the list. */
export function isSearch(place: Place): boolean {
  return isRanked(place) || place.labels.length > 0 || place.filters.length > 0;
}

/** All Explore parameters of a place except granularity. */
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

/** The call for the list that a place shows. */
export function asCurl(datasetId: string, place: Place, threshold: Threshold | undefined): string {
  const isListed = place.flat !== undefined || place.table === true;
  const shown = isListed ? orderOf(place) : { threshold };
  const parameters = Object.entries({ ...queryOf(place), ...shown }).flatMap(([name, value]) =>
    value === undefined ? [] : ` \\\n  --data-urlencode '${name}=${String(value).replaceAll("'", "'\\''")}'`,
  );
  return `curl -G '${linkOfApi(`/explore/${datasetId}${isListed ? '/items' : ''}`)}'${parameters.join('')}`;
}

function pageOfItems({ items, cover_sheets, total }: ItemPage) {
  return { items: withCovers(items, cover_sheets), total };
}

/** The order of a place's flat list. Search results without an order are listed best first. */
export function orderOf({ flat, descending, sortField }: Place) {
  return {
    sort_by: flat,
    sort_order: descending ? ('desc' as const) : ('asc' as const),
    sort_field: flat === 'metadata' ? sortField : undefined,
  };
}

/** Whether a place is shown as a list of items in the order of `flat`: as a grid, or as a table. */
export function isListed(place: Place): boolean {
  return place.table === true || ((place.flat !== undefined || place.cluster !== undefined) && !isRanked(place));
}

/** Whether a place lists the items of a cluster in the cluster's own order, the most typical first. */
export function isTypicalFirst(place: Place): boolean {
  const { cluster, flat, table } = place;
  return cluster !== undefined && (flat === undefined || flat === 'similarity') && !table && !isRanked(place);
}

/** The results of a place as a flat list. @param with.details Whether to load all fields of the items. */
export function useItems(
  datasetId: string,
  place: Place,
  { enabled = true, details = false }: { enabled?: boolean; details?: boolean } = {},
): Paged<Covered<ListedItem>> {
  const asked = {
    dataset_id: datasetId,
    ...queryOf(place),
    ...orderOf(place),
    page_size: ITEMS_PER_PAGE,
    ...(details && { details, threshold: place.threshold }),
  };
  return usePaged<Covered<ListedItem>>({
    key: JSON.stringify(asked),
    pageSize: ITEMS_PER_PAGE,
    enabled,
    page: (pageNumber) => pageQuery('list_items', { ...asked, page_number: pageNumber }, pageOfItems),
  });
}

/** The imported items of a dataset during its first indexing. */
export function useArrivals(datasetId: string): Paged<Covered<Preview>> {
  const asked = { dataset_id: datasetId, page_size: ITEMS_PER_PAGE };
  return usePaged<Covered<Preview>>({
    key: JSON.stringify(asked),
    pageSize: ITEMS_PER_PAGE,
    page: (pageNumber) => pageQuery('list_arrivals', { ...asked, page_number: pageNumber }, pageOfItems),
  });
}

/** The facet counts of a place's results. */
/** @param labelConfidence Minimum confidence of labels from models. */
export function useFacets(datasetId: string, place: Place, labelConfidence: number = DEFAULT_LABEL_CONFIDENCE) {
  const lowered = labelConfidence === DEFAULT_LABEL_CONFIDENCE ? {} : { label_confidence: labelConfidence };
  return useOperation(
    'get_facets',
    { dataset_id: datasetId, ...queryOf(place), ...lowered },
    { staleTime: 60_000, placeholderData: (before) => before },
  );
}

/** A search result in the form of a cluster with one item. */
function asCluster(item: Covered<Preview>, type: Place['type']): Covered<Cluster> {
  const isFrame = item.type === 'VIDEO_FRAME';
  return {
    cluster_id: item.media_id,
    type,
    n_images: item.type === 'IMAGE' ? 1 : 0,
    n_objects: type === 'OBJECTS' ? 1 : 0,
    n_videos: isFrame ? 1 : 0,
    n_frames: isFrame ? 1 : 0,
    size_display_value: '1',
    formed_by: 'SIMILARITY',
    similarity_threshold: '0',
    relevance_score: item.relevance_score,
    relevance_score_type: item.relevance_score_type,
    captions: item.caption === null ? null : [item.caption],
    previews: [item],
    labels: item.labels,
    user_tags: item.user_tags,
    name: null,
    suggested_name: null,
    is_merged: false,
    cover: item.cover,
  };
}

/** Loads the results of a place: clusters, or the single items of a search, best first. Videos use the finest granularity. */
export function useExplore(datasetId: string, place: Place, enabled = true): Paged<Covered<Cluster>> {
  const ranked = isRanked(place);
  const { type } = place;
  const isFinest = ranked || type === 'VIDEOS';
  const threshold = useThreshold(datasetId, isFinest ? { ...place, threshold: 0 } : place, enabled);
  const hidden = place.hidden === true && !ranked ? { hidden: true } : {};
  const asked = { dataset_id: datasetId, threshold, ...queryOf(place) };
  const pageOf = (answer: ExploreResult) => ({
    items: withCovers(answer.clusters, answer.cover_sheets),
    total: answer.metadata.total_clusters,
    within: answer.metadata.total_items,
    singles: answer.metadata.total_singles,
    hidden: answer.metadata.hidden_clusters,
  });
  return usePaged<Covered<Cluster>>({
    key: JSON.stringify({ ...asked, ...hidden, ranked }),
    pageSize: CLUSTERS_PER_PAGE,
    enabled: enabled && threshold !== undefined,
    page: (pageNumber) => {
      const page = { ...asked, page_number: pageNumber };
      if (!ranked) return pageQuery('explore', { ...page, ...hidden }, pageOf);
      return pageQuery('list_items', { ...page, page_size: CLUSTERS_PER_PAGE }, ({ items, cover_sheets, total }) => ({
        items: withCovers(items, cover_sheets).map((item) => asCluster(item, type)),
        total,
        within: total,
      }));
    },
  });
}

/** The items of a cluster that match the filters of the place, most typical first. */
export function useClusterItems(
  datasetId: string,
  clusterId: string | undefined,
  place: Place,
): Paged<Covered<Preview>> {
  const asked = {
    dataset_id: datasetId,
    cluster_id: clusterId ?? '',
    page_size: ITEMS_PER_PAGE,
    ...filtersOf({ ...place, cluster: undefined }),
  };
  return usePaged<Covered<Preview>>({
    key: JSON.stringify(asked),
    pageSize: ITEMS_PER_PAGE,
    enabled: clusterId !== undefined,
    page: (pageNumber) =>
      pageQuery('get_cluster', { ...asked, page_number: pageNumber }, ({ items, cover_sheets, total, cluster }) => ({
        items: withCovers(items, cover_sheets),
        total,
        name: cluster.name ?? cluster.suggested_name,
        automatic_name: cluster.suggested_name,
        is_merged: cluster.is_merged,
      })),
  });
}
