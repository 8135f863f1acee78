import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Agreement, Compared, LabelGroup, LabelGroups, Scatter } from '../../contract/schemas/charts.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { QueryPlanner } from './query-planner.ts';
import type { QueryParameters } from './read-query.ts';

interface ChartInput extends QueryParameters {
  entity_type: EntityType;
}

/** Reads the numbers of charts. */
export class ChartService {
  readonly #datasets: DatasetCatalog;
  readonly #planner: QueryPlanner;

  /** The operations that this service handles. */
  readonly handlers = {
    get_scatter: (context, input) => this.scatter(context, input),
    get_label_groups: (context, input) => this.labelGroups(context, input),
    get_agreement: (context, input) => this.agreement(context, input),
  } satisfies SomeHandlers;

  constructor(parts: { datasets: DatasetCatalog; planner: QueryPlanner }) {
    this.#datasets = parts.datasets;
    this.#planner = parts.planner;
  }

  async scatter(context: DatasetContext, input: ChartInput & { x: string; y: string }): Promise<Scatter> {
    const { store, plan } = await this.#plan(context, input);
    return store.charts.scatter({ plan, x: input.x, y: input.y });
  }

  /** @throws AppError `invalid_request` without the name of the field. */
  async labelGroups(
    context: DatasetContext,
    input: ChartInput & { by: LabelGroup; field_name?: string | undefined },
  ): Promise<LabelGroups> {
    const { by, field_name } = input;
    if (by === 'field' && field_name === undefined) {
      throw new AppError('invalid_request', message('chart_field_missing'));
    }
    const { store, plan } = await this.#plan(context, input);
    return store.charts.labelGroups({ plan, by, field_name });
  }

  async agreement(
    context: DatasetContext,
    input: ChartInput & { compared?: Compared | undefined; confidence_min: number },
  ): Promise<Agreement> {
    const { store, plan } = await this.#plan(context, input);
    return store.charts.agreement({ plan, compared: input.compared, confidence_min: input.confidence_min });
  }

  async #plan(context: DatasetContext, input: ChartInput) {
    const store = this.#datasets.browsable(context.dataset);
    const { plan } = await this.#planner.plan(context, store, input);
    return { store, plan };
  }
}
