import type { MediaSelection } from '../../contract/schemas/media-selection.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { SelectionPart } from '../ports/query.ts';
import type { QueryPlanner } from './query-planner.ts';

/** Converts selections by ids, clusters or queries into queries to a dataset's store. */
export class SelectionService {
  readonly #planner: QueryPlanner;

  constructor(planner: QueryPlanner) {
    this.#planner = planner;
  }

  plan(context: DatasetContext, store: StoreReads, selection: MediaSelection): Promise<SelectionPart[]> {
    return Promise.all(
      selection.map(async ({ type, payload }): Promise<SelectionPart> => {
        if (type === 'media') return payload;
        const query = type === 'cluster' ? payload.cluster_filters : payload;
        const { plan } = await this.#planner.plan(context, store, query);
        const { exclude_media_ids } = payload;
        return type === 'cluster'
          ? { plan, cluster_id: payload.cluster_id, exclude_media_ids }
          : { plan, exclude_media_ids };
      }),
    );
  }
}
