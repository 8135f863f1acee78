import type { ChartReads } from '../../../core/ports/charts.ts';
import { type MethodTable, READ } from '../thread/method-table.ts';
import { needsOfPlan } from '../thread/needs.ts';

export const chartMethods: MethodTable<ChartReads, object> = {
  scatter: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
  labelGroups: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
  agreement: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
};
