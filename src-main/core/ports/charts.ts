import type { Agreement, Compared, LabelGroup, LabelGroups, Scatter } from '../../contract/schemas/charts.ts';
import type { QueryPlan } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

/** Counts the matches of plans for charts. */
export interface ChartReads {
  /**
   * @param query `x` and `y` as in the contract.
   * @throws AppError `invalid_input` for an unknown field, or one without numbers.
   */
  scatter(query: { plan: QueryPlan; x: string; y: string }): Promise<Scatter>;
  /** @throws AppError `invalid_input` for an unknown field. */
  labelGroups(query: { plan: QueryPlan; by: LabelGroup; field_name: string | undefined }): Promise<LabelGroups>;
  /** Compares annotations with predictions: [Note: Agreement]. */
  agreement(query: { plan: QueryPlan; compared: Compared | undefined; confidence_min: number }): Promise<Agreement>;
}

export const chartMethods: StoreMethods<ChartReads> = {
  scatter: 'read',
  labelGroups: 'read',
  agreement: 'read',
};
