import { expect, it } from 'vitest';
import { ISSUES, ISSUES_OF_OBJECTS } from '../../../src-main/contract/schemas/issues.ts';
import { everything, type QueryPlan } from '../../../src-main/core/ports/query.ts';
import { duplicateMethods } from '../../../src-main/infra/dataset-store/duplicates/duplicate.methods.ts';
import { exploreMethods } from '../../../src-main/infra/dataset-store/explore/explore.methods.ts';
import { issueMethods } from '../../../src-main/infra/dataset-store/issues/issue.methods.ts';
import { mapMethods } from '../../../src-main/infra/dataset-store/map/map.methods.ts';
import type { Needs } from '../../../src-main/infra/dataset-store/thread/needs.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';

const conditions: QueryPlan['conditions'] = [
  { name: 'issues', op: 'issue', value: 'dark', mode: 'in', limits: ISSUE_LIMITS },
];
const ofItems: QueryPlan = { ...everything('IMAGES'), conditions };
const page = { offset: 0, limit: 1 };
const view = { window: { x: 0, y: 0, side: 1 }, level: 0, limits: ISSUE_LIMITS };

/** Returns the issues that a call needs. Asserts that their limits are those of the settings and omits them. */
function issuesOf(needs: Needs | undefined) {
  return needs?.issues.map(({ entity_type, issues, limits }) => {
    expect(limits).toEqual(ISSUE_LIMITS);
    return { entity_type, issues };
  });
}

it('declares the plans that a call reads', () => {
  const { count, listClusters, list, select, findCluster } = exploreMethods;
  const plans = [
    count.needs?.(ofItems),
    listClusters.needs?.({ plan: ofItems, level: 2, page_number: 0 }),
    list.needs?.({ plan: ofItems, sort: undefined, descending: false, ...page }),
    select.needs?.([{ plan: ofItems, exclude_media_ids: [] }, { media_ids: ['an id'] }], []),
    findCluster.needs?.({ cluster_id: 'a cluster', plan: { conditions, scores: [] }, ...page }),
    duplicateMethods.list.needs?.({ conditions, threshold: 1, ...page }),
  ];
  for (const needs of plans) expect(needs).toEqual({ plans: [ofItems], issues: [] });
});

it('declares all issues when they are counted, listed or shown', () => {
  expect(issuesOf(issueMethods.count.needs?.(everything('OBJECTS'), ISSUE_LIMITS))).toEqual([
    { entity_type: 'OBJECTS', issues: ISSUES },
  ]);
  expect(issuesOf(exploreMethods.countFacets.needs?.(everything('VIDEOS'), ISSUE_LIMITS))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
  ]);
  expect(issuesOf(issueMethods.listOfItem.needs?.('an id', ISSUE_LIMITS))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
    { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS },
  ]);
  const { read } = mapMethods;
  expect(issuesOf(read.needs?.({ plan: everything('IMAGES'), colour: 'issue', by: undefined, ...view }))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
  ]);
  expect(issuesOf(read.needs?.({ plan: everything('IMAGES'), colour: 'label', by: undefined, ...view }))).toEqual([]);
});
