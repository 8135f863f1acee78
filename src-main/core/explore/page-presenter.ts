import type { ClusterPage, ExploreResult } from '../../contract/schemas/explore.ts';
import type { ItemPage } from '../../contract/schemas/facets.ts';
import type { PagePresenter } from '../ports/pages.ts';
import { ExplorePresenter, shownDistance } from './explore-presenter.ts';

/** Presents pages of Explore in the threads that read them. */
export const pagePresenter: PagePresenter = {
  clusters: (found, type, form): ExploreResult => {
    const presenter = new ExplorePresenter(form);
    return {
      clusters: found.clusters.map((cluster) => presenter.cluster(cluster, type)),
      cover_sheets: presenter.coverSheets(found.clusters),
      metadata: {
        used_duckdb: false,
        total_clusters: found.total_clusters,
        total_singles: found.total_singles,
        total_items: found.total_items,
        hidden_clusters: found.hidden_clusters,
        cut_off: found.cut_off && {
          total_items: found.cut_off.n_items,
          relevance_score: found.cut_off.distance === null ? null : shownDistance(found.cut_off.distance, form.shown),
        },
      },
    };
  },
  items: ({ items, total }, page, form): ItemPage => ({
    ...new ExplorePresenter(form).listed(items),
    ...{ total, ...numberOf(page) },
  }),
  clusterItems: (found, page, form): ClusterPage => {
    const presenter = new ExplorePresenter(form);
    return {
      cluster: presenter.cluster(found.cluster, found.type),
      ...presenter.listed(found.items),
      total: found.total,
      ...numberOf(page),
    };
  },
};

/** Offsets of pages are multiples of their size. */
function numberOf({ offset, limit }: { offset: number; limit: number }) {
  return { page_number: offset / limit, page_size: limit };
}
