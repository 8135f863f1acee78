import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DuplicateList } from '../../contract/schemas/duplicates.ts';
import {
  type ClusterPage,
  DEFAULT_THRESHOLD,
  type EntityType,
  type ExplorationMetadata,
  type ExploredType,
  type ExploreResult,
} from '../../contract/schemas/explore.ts';
import type { Facets, ItemPage, ItemSort } from '../../contract/schemas/facets.ts';
import type { Image } from '../../contract/schemas/image.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { TextQueryService } from '../enrichment/text-query.service.ts';
import type { SomeHandlers } from '../handlers.ts';
import { JsonResult } from '../json-result.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import type { PageForm, ShownScore } from '../ports/pages.ts';
import { ExplorePresenter } from './explore-presenter.ts';
import type { ExploreQuery, QueryPlanner } from './query-planner.ts';
import { type QueryParameters, readQuery } from './read-query.ts';

interface ExploreInput extends QueryParameters {
  entity_type: ExploredType;
  threshold: number;
  page_number: number;
  within_cut_off?: boolean;
  hidden?: boolean;
}

interface ClusterInput extends QueryParameters {
  cluster_id: string;
  page_number: number;
  page_size: number;
}

/** Maximum number of labels in the metadata of a page. */
const MAX_LABELS = 1000;

/** Reads a dataset: clusters, the items of a cluster, similar items, single items. */
export class ExploreService {
  readonly #datasets: DatasetCatalog;
  readonly #texts: TextQueryService;
  readonly #planner: QueryPlanner;
  readonly #issueLimits: () => IssueLimits;
  readonly #urls: MediaUrls;

  /** The operations that this service handles. */
  readonly handlers = {
    explore: (context, input) => this.explore(context, input),
    find_similar: (context, input) => this.findSimilar(context, input),
    get_user_config: (context) => this.getUserConfig(context),
    get_exploration_metadata: (context, input) => this.getMetadata(context, input),
    list_items: (context, input) => this.listItems(context, input),
    list_arrivals: (context, input) => this.listArrivals(context, input),
    get_facets: (context, input) => this.getFacets(context, input),
    get_levels: (context, input) => this.getLevels(context, input),
    get_cluster: (context, input) => this.getCluster(context, input),
    get_image: (context, input) => this.getImage(context, input),
    get_dataset_image: (context, input) => this.getImage(context, input),
    list_duplicates: (context, input) => this.listDuplicates(context, input),
  } satisfies SomeHandlers;

  constructor(parts: {
    datasets: DatasetCatalog;
    urls: MediaUrls;
    texts: TextQueryService;
    planner: QueryPlanner;
    issueLimits: () => IssueLimits;
  }) {
    this.#datasets = parts.datasets;
    this.#texts = parts.texts;
    this.#planner = parts.planner;
    this.#issueLimits = parts.issueLimits;
    this.#urls = parts.urls;
  }

  /** @throws AppError `conflict` for visual search unless the dataset is READY, as the API specifies. */
  async explore(context: DatasetContext, input: ExploreInput): Promise<JsonResult<ExploreResult>> {
    const { status_new } = context.dataset;
    if (status_new !== 'READY' && readQuery(input).some(({ name }) => name === 'similarity')) {
      throw new AppError('conflict', message('visual_search_needs_ready', { status: status_new }));
    }
    return this.#explore(context, input);
  }

  findSimilar(context: DatasetContext, input: ExploreInput & { media_id: string }): Promise<JsonResult<ExploreResult>> {
    return this.#explore(context, { ...input, anchor_media_id: input.media_id, anchor_type: 'MEDIA' });
  }

  async #explore(context: DatasetContext, input: ExploreInput): Promise<JsonResult<ExploreResult>> {
    const store = this.#datasets.browsable(context.dataset);
    const { plan, shown } = await this.#planner.plan(context, store, input);
    const { threshold: level, page_number, hidden = false } = input;
    const query = { plan, level, page_number, hidden };
    return new JsonResult(await store.pages.listClusters(query, this.#formOf(context, shown)));
  }

  #formOf(context: DatasetContext, shown: ShownScore): PageForm {
    return { signing: this.#urls.signing(context, context.dataset.dataset_id), shown };
  }

  async getMetadata(
    context: DatasetContext,
    input: ExploreInput & { entity_type: EntityType },
  ): Promise<ExplorationMetadata> {
    const store = this.#datasets.browsable(context.dataset);
    const { plan, vql } = await this.#planner.plan(context, store, input);
    const found = await store.explore.listClusters({ plan, level: input.threshold, page_number: input.page_number });
    return {
      dataset_id: context.dataset.dataset_id,
      dataset_name: context.dataset.display_name,
      vql,
      clusters_count: found.total_clusters,
      media_count: found.total_items,
      labels: await store.explore.listLabels(plan, MAX_LABELS),
      issues: await store.issues.count(plan, this.#issueLimits()),
      clusters: found.clusters.map(({ cluster_id }) => ({ cluster_id })),
    };
  }

  /** Returns the kinds of queries that a dataset supports, in the form that clients expect. */
  async getUserConfig({ dataset }: DatasetContext) {
    const featureOptions = await this.#texts.options(dataset.dataset_id, this.#datasets.storeOf(dataset));
    return { features: [{ feature_key: 'TEXTUAL_SEARCH_IMAGE' as const, feature_options: featureOptions }] };
  }

  async getLevels({ dataset }: DatasetContext, input: { entity_type: EntityType }) {
    const { levels, default_level } = await this.#datasets.storeOf(dataset).explore.describeLevels(input.entity_type);
    return { levels, default_threshold: default_level ?? DEFAULT_THRESHOLD };
  }

  async getCluster(context: DatasetContext, input: ClusterInput): Promise<JsonResult<ClusterPage>> {
    const store = this.#datasets.browsable(context.dataset);
    const { cluster_id, page_number, page_size } = input;
    const { plan, shown } = await this.#planner.plan(context, store, { ...input, entity_type: 'IMAGES' });
    const page = { offset: page_number * page_size, limit: page_size };
    const found = await store.pages.findCluster({ cluster_id, plan, ...page }, this.#formOf(context, shown));
    if (!found) throw new AppError('not_found', message('cluster_not_found'));
    return new JsonResult(found);
  }

  async listItems(
    context: DatasetContext,
    input: ExploreQuery & {
      sort_by?: ItemSort | undefined;
      sort_order: 'asc' | 'desc';
      sort_field?: string | undefined;
      threshold: number;
      details: boolean;
      page_number: number;
      page_size: number;
    },
  ): Promise<JsonResult<ItemPage>> {
    const store = this.#datasets.browsable(context.dataset);
    const { plan, shown } = await this.#planner.plan(context, store, input);
    const { page_number, page_size } = input;
    const query = {
      plan,
      sort: input.sort_by,
      field: input.sort_field,
      level: input.threshold,
      limits: this.#issueLimits(),
      isTable: input.details,
      descending: input.sort_order === 'desc',
      offset: page_number * page_size,
      limit: page_size,
    };
    return new JsonResult(await store.pages.list(query, this.#formOf(context, shown)));
  }

  /** Lists the items that can be viewed while a dataset is indexed for the first time. */
  async listArrivals(context: DatasetContext, input: { page_number: number; page_size: number }): Promise<ItemPage> {
    const { page_number, page_size } = input;
    const page = { offset: page_number * page_size, limit: page_size };
    const { items, total } = await this.#datasets.storeOf(context.dataset).items.listArrivals(page);
    const presenter = ExplorePresenter.for(this.#urls, context);
    return { ...presenter.listed(items), total, page_number, page_size };
  }

  async listDuplicates(
    context: DatasetContext,
    input: QueryParameters & { duplicate_threshold: number; page_number: number; page_size: number },
  ): Promise<DuplicateList> {
    const store = this.#datasets.browsable(context.dataset);
    const { page_number, page_size, duplicate_threshold: threshold } = input;
    const { plan } = await this.#planner.plan(context, store, { ...input, entity_type: 'IMAGES' });
    const { groups, compared_rows, indexed_rows, ...totals } = await store.duplicates.list({
      conditions: plan.conditions,
      threshold,
      offset: page_number * page_size,
      limit: page_size,
    });
    const presenter = ExplorePresenter.for(this.#urls, context);
    const progress = { compared_items: compared_rows, indexed_items: indexed_rows };
    return {
      groups: groups.map((group) => presenter.copies(group)),
      ...totals,
      ...progress,
      threshold,
      page_number,
      page_size,
    };
  }

  async getFacets(
    context: DatasetContext,
    input: ExploreQuery & { label_confidence?: number | undefined },
  ): Promise<Facets> {
    const store = this.#datasets.browsable(context.dataset);
    const { plan } = await this.#planner.plan(context, store, input);
    return store.explore.countFacets(plan, this.#issueLimits(), input.label_confidence);
  }

  async getImage(context: DatasetContext, input: { image_id: string; label_confidence: number }): Promise<Image> {
    const store = this.#datasets.storeOf(context.dataset);
    const item = await store.items.find(input.image_id, input.label_confidence);
    if (!item) throw new AppError('not_found', message('image_not_found'));
    const issues = await store.issues.listOfItem(input.image_id, this.#issueLimits());
    return ExplorePresenter.for(this.#urls, context).image(item, issues);
  }
}
