import type { ExploredType } from '../../contract/schemas/explore.ts';
import type { ClusterItems, ClusterList, ClusterQuery, ItemQuery } from './explore.ts';
import type { ItemList } from './items.ts';
import type { NoiseDistribution, QueryPlan } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

/** How the distances that a store returns are shown. */
export interface ShownScore {
  /** Empty for a query without a score. */
  type: 'cosine_distance' | 'text_rank' | '';
  /** Unchanged, without negative rounding errors, or calibrated by the noise of an encoder. */
  scale: 'unchanged' | 'not_negative' | NoiseDistribution;
}

/** All that signs the URLs of one dataset for one reader. */
export interface UrlSigning {
  secret: string;
  base_url: string;
  dataset_id: string;
  /** Id of the reader; empty for the local owner. */
  user: string;
  expires: string;
}

/** Form of a page: plain data, because the thread that reads a page also presents it. */
export interface PageForm {
  signing: UrlSigning;
  shown: ShownScore;
}

export interface ClusterItemsQuery {
  cluster_id: string;
  plan: Omit<QueryPlan, 'entity_type'>;
  offset: number;
  limit: number;
}

/** Converts what a store found to the results of the API. */
export interface PagePresenter {
  clusters(found: ClusterList, type: ExploredType, form: PageForm): object;
  items(found: ItemList, page: Page, form: PageForm): object;
  clusterItems(found: ClusterItems, page: Page, form: PageForm): object;
}

interface Page {
  offset: number;
  limit: number;
}

/**
 * Reads pages as JSON (UTF-8), as the API returns them. A page of Explore has a megabyte; presenting it where it is read keeps the thread
 * that serves all callers free, and only bytes are copied between the threads. Queries and errors are those of `ExploreReads`.
 */
export interface PageReads {
  listClusters(query: ClusterQuery, form: PageForm): Promise<Uint8Array>;
  list(query: ItemQuery, form: PageForm): Promise<Uint8Array>;
  /** @returns Undefined if the cluster does not exist. */
  findCluster(query: ClusterItemsQuery, form: PageForm): Promise<Uint8Array | undefined>;
}

export const pageMethods: StoreMethods<PageReads> = { listClusters: 'read', list: 'read', findCluster: 'read' };
