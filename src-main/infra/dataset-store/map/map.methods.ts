import type { MapReads, MapWrites } from '../../../core/ports/map.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';
import { needsOfPlan, needsOfPlanAndIssues } from '../thread/needs.ts';

export const mapMethods: MethodTable<MapReads, MapWrites> = {
  read: {
    ...READ,
    needs: ({ plan, colour, limits }) => (colour === 'issue' ? needsOfPlanAndIssues(plan, limits) : needsOfPlan(plan)),
  },
  listItems: { ...READ, needs: ({ plan }) => needsOfPlan(plan) },
  prepareProjections: WRITE,
  publishProjection: WRITE,
};
