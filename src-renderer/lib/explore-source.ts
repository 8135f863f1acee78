import { CLUSTERS_PER_PAGE, type Cluster, type Preview } from '../../src-main/contract/schemas/explore.ts';
import type { Threshold } from './routes.ts';
import { operationQuery } from './use-operation.ts';
import { type Paged, usePaged } from './use-paged.ts';

/** Items asked for at a time. */
const ITEMS_PER_PAGE = 100;

interface ExploreQuery {
  datasetId: string;
  threshold: Threshold;
  /** Media that results shall be like; best first. */
  anchor: string | undefined;
  enabled?: boolean;
}

/** Explore's clusters, or with an anchor the matches to it: those at the finest granularity, so that a match is a picture, not a crowd. */
export function useExplore({ datasetId, threshold, anchor, enabled = true }: ExploreQuery): Paged<Cluster> {
  const granularity = anchor === undefined ? threshold : 0;
  const asked = anchor === undefined ? {} : { anchor_media_id: anchor, anchor_type: 'MEDIA' as const };
  return usePaged<Cluster>({
    key: `${datasetId} ${granularity} ${anchor ?? ''}`,
    pageSize: CLUSTERS_PER_PAGE,
    enabled,
    page: (pageNumber) => {
      const { queryKey, queryFn } = operationQuery('explore', {
        dataset_id: datasetId,
        threshold: granularity,
        page_number: pageNumber,
        ...asked,
      });
      return {
        queryKey: [...queryKey, 'page'],
        queryFn: async (context) => {
          const { clusters, metadata } = await queryFn(context);
          return { items: clusters, total: metadata.total_clusters };
        },
      };
    },
  });
}

/** The items of one cluster, the most typical first. */
export function useClusterItems(datasetId: string, clusterId: string | undefined): Paged<Preview> {
  return usePaged<Preview>({
    key: `${datasetId} ${clusterId ?? ''}`,
    pageSize: ITEMS_PER_PAGE,
    enabled: clusterId !== undefined,
    page: (pageNumber) => {
      const { queryKey, queryFn } = operationQuery('get_cluster', {
        dataset_id: datasetId,
        cluster_id: clusterId ?? '',
        page_number: pageNumber,
        page_size: ITEMS_PER_PAGE,
      });
      return {
        queryKey: [...queryKey, 'page'],
        queryFn: async (context) => {
          const { items, total } = await queryFn(context);
          return { items, total };
        },
      };
    },
  });
}
