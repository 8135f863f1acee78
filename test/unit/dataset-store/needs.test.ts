import { expect, it } from 'vitest';
import { ISSUES, ISSUES_OF_OBJECTS } from '../../../src-main/contract/schemas/issues.ts';
import { everything, type QueryPlan } from '../../../src-main/core/ports/query.ts';
import { LocalDuplicateReads } from '../../../src-main/infra/dataset-store/duplicates/local-duplicate-reads.ts';
import { LocalExploreReads } from '../../../src-main/infra/dataset-store/explore/local-explore-reads.ts';
import { LocalIssueReads } from '../../../src-main/infra/dataset-store/issues/local-issue-reads.ts';
import { LocalMapReads } from '../../../src-main/infra/dataset-store/map/local-map-reads.ts';
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
  const { count, listClusters, list, select, findCluster } = LocalExploreReads.needs;
  const plans = [
    count?.(ofItems),
    listClusters?.({ plan: ofItems, level: 2, page_number: 0 }),
    list?.({ plan: ofItems, sort: undefined, descending: false, ...page }),
    select?.([{ plan: ofItems, exclude_media_ids: [] }, { media_ids: ['an id'] }], []),
    findCluster?.({ cluster_id: 'a cluster', plan: { conditions, scores: [] }, ...page }),
    LocalDuplicateReads.needs.list?.({ conditions, threshold: 1, ...page }),
  ];
  for (const needs of plans) expect(needs).toEqual({ plans: [ofItems], issues: [] });
});

it('declares all issues when they are counted, listed or shown', () => {
  expect(issuesOf(LocalIssueReads.needs.count?.(everything('OBJECTS'), ISSUE_LIMITS))).toEqual([
    { entity_type: 'OBJECTS', issues: ISSUES },
  ]);
  expect(issuesOf(LocalExploreReads.needs.countFacets?.(everything('VIDEOS'), ISSUE_LIMITS))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
  ]);
  expect(issuesOf(LocalIssueReads.needs.listOfItem?.('an id', ISSUE_LIMITS))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
    { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS },
  ]);
  const { read } = LocalMapReads.needs;
  expect(issuesOf(read?.({ plan: everything('IMAGES'), colour: 'issue', by: undefined, ...view }))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
  ]);
  expect(issuesOf(read?.({ plan: everything('IMAGES'), colour: 'label', by: undefined, ...view }))).toEqual([]);
});
