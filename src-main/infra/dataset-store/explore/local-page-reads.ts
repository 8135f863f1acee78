import type { ClusterQuery, ItemQuery } from '../../../core/ports/explore.ts';
import type { ClusterItemsQuery, PageForm, PagePresenter, PageReads } from '../../../core/ports/pages.ts';
import type { Answered } from '../../threads/answered.ts';
import { handOver } from '../../threads/hand-over.ts';
import type { NeedsOf } from '../thread/needs.ts';
import { LocalExploreReads } from './local-explore-reads.ts';

/** Presents what {@link LocalExploreReads} reads. */
export class LocalPageReads implements Answered<PageReads> {
  static readonly needs: NeedsOf<PageReads> = LocalExploreReads.needs;

  readonly #explore: LocalExploreReads;
  readonly #presenter: PagePresenter | undefined;

  constructor(explore: LocalExploreReads, presenter: PagePresenter | undefined) {
    this.#explore = explore;
    this.#presenter = presenter;
  }

  async listClusters(query: ClusterQuery, form: PageForm): Promise<Uint8Array> {
    return toJson(this.#present.clusters(await this.#explore.listClusters(query), query.plan.entity_type, form));
  }

  async list(query: ItemQuery, form: PageForm): Promise<Uint8Array> {
    return toJson(this.#present.items(await this.#explore.list(query), query, form));
  }

  async findCluster(query: ClusterItemsQuery, form: PageForm): Promise<Uint8Array | undefined> {
    const found = await this.#explore.findCluster(query);
    return found && toJson(this.#present.clusterItems(found, query, form));
  }

  get #present(): PagePresenter {
    if (!this.#presenter) throw new Error('This reader presents no pages');
    return this.#presenter;
  }
}

function toJson(page: object): Uint8Array {
  return handOver(new TextEncoder().encode(JSON.stringify(page)));
}
