import type { ExploreReads } from '../../../core/ports/explore.ts';
import { type MethodTable, READ } from '../thread/method-table.ts';
import { needsOfConditions, needsOfPlan, needsOfPlanAndIssues, needsOfSelection } from '../thread/needs.ts';

export const exploreMethods: MethodTable<ExploreReads, object> = {
  list: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
  listClusters: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
  findCluster: { ...READ, needs: ({ plan }) => needsOfConditions('IMAGES', plan.conditions) },
  describeLevels: READ,
  count: { ...READ, needs: needsOfPlan },
  countFacets: { ...READ, needs: needsOfPlanAndIssues },
  listLabels: { ...READ, needs: needsOfPlan },
  select: { ...READ, needs: needsOfSelection },
  choosePage: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
  chooseItems: { ...READ, needs: needsOfSelection },
};
