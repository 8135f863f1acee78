import {
  CLUSTERS_PER_PAGE,
  type Cluster,
  type ExploreResult,
  type Preview,
} from '../../src-main/contract/schemas/explore.ts';
import type { LabelMode, Place } from './routes.ts';
import { type Paged, pageQuery, usePaged } from './use-paged.ts';

/** Items asked for at a time. */
const ITEMS_PER_PAGE = 100;

const LABEL_OPERATORS: Record<LabelMode, string> = { any: 'one_of', all: 'is', none: 'not_one_of' };

/** What Explore is asked for a place: words and labels as the filters that it knows. */
function filtersOf({ text, within, beyond, labels, labelMode }: Place) {
  const filters = [
    ...(text !== undefined && within !== 'captions'
      ? [{ text: { op: within === 'words' ? 'fts' : 'semantic', value: text } }]
      : []),
    ...(labels.length > 0 ? [{ labels: { op: LABEL_OPERATORS[labelMode], value: labels } }] : []),
  ];
  return {
    ...(text !== undefined && within === 'captions' ? { caption: text } : {}),
    ...(text !== undefined && !beyond ? { within_cut_off: true } : {}),
    ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }),
  };
}

/** Whether a place lists what was searched, best first, rather than clusters. */
export function isRanked({ anchor, text }: Pick<Place, 'anchor' | 'text'>): boolean {
  return anchor !== undefined || text !== undefined;
}

/** Explore's clusters; videos and the matches of a search at the finest granularity, so that each is one thing, not a crowd. */
export function useExplore(datasetId: string, place: Place, enabled = true): Paged<Cluster> {
  const asked = {
    dataset_id: datasetId,
    entity_type: place.type,
    threshold: isRanked(place) || place.type === 'VIDEOS' ? 0 : place.threshold,
    ...filtersOf(place),
  };
  const { anchor } = place;
  const pageOf = ({ clusters, metadata }: ExploreResult) => ({
    items: clusters,
    total: metadata.total_clusters,
    within: metadata.total_items,
  });
  return usePaged<Cluster>({
    key: JSON.stringify({ ...asked, anchor }),
    pageSize: CLUSTERS_PER_PAGE,
    enabled,
    page: (pageNumber) => {
      const page = { ...asked, page_number: pageNumber };
      if (anchor === undefined) return pageQuery('explore', page, pageOf);
      return pageQuery('find_similar', { ...page, media_id: anchor }, pageOf);
    },
  });
}

/** The items of one cluster, the most typical first. */
export function useClusterItems(datasetId: string, clusterId: string | undefined): Paged<Preview> {
  return usePaged<Preview>({
    key: `${datasetId} ${clusterId ?? ''}`,
    pageSize: ITEMS_PER_PAGE,
    enabled: clusterId !== undefined,
    page: (pageNumber) =>
      pageQuery(
        'get_cluster',
        { dataset_id: datasetId, cluster_id: clusterId ?? '', page_number: pageNumber, page_size: ITEMS_PER_PAGE },
        ({ items, total }) => ({ items, total }),
      ),
  });
}
