import { expect, it } from 'vitest';
import { ISSUES, ISSUES_OF_OBJECTS } from '../../../src-main/contract/schemas/issues.ts';
import { type Condition, everything, type QueryPlan } from '../../../src-main/core/ports/query.ts';
import { duplicateMethods } from '../../../src-main/infra/dataset-store/duplicates/duplicate.methods.ts';
import { exploreMethods } from '../../../src-main/infra/dataset-store/explore/explore.methods.ts';
import { issueMethods } from '../../../src-main/infra/dataset-store/issues/issue.methods.ts';
import { mapMethods } from '../../../src-main/infra/dataset-store/map/map.methods.ts';
import type { Needs } from '../../../src-main/infra/dataset-store/thread/needs.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';

const issue = (value: (typeof ISSUES)[number] | 'normal'): Condition => ({
  name: 'issues',
  value,
  mode: 'in',
  limits: ISSUE_LIMITS,
});
const planOf = (entityType: 'IMAGES' | 'OBJECTS' | 'VIDEOS', ...conditions: Condition[]): QueryPlan => ({
  ...everything(entityType),
  conditions,
});
const page = { offset: 0, limit: 1 };
const view = { window: { x: 0, y: 0, side: 1 }, level: 0, limits: ISSUE_LIMITS };

/** Returns the issues that a call needs. Asserts that their limits are those of the settings and omits them. */
function issuesOf(needs: Needs | undefined) {
  return needs?.issues.map(({ entity_type, issues, limits }) => {
    expect(limits).toEqual(ISSUE_LIMITS);
    return { entity_type, issues };
  });
}

it('declares the issues that the conditions of a plan test', () => {
  const { listClusters, list, select, findCluster } = exploreMethods;
  const { list: listDuplicates } = duplicateMethods;
  const clusters = { level: 2, page_number: 0 };
  expect(issuesOf(listClusters.needs?.({ plan: planOf('IMAGES'), ...clusters }))).toEqual([]);
  expect(issuesOf(listClusters.needs?.({ plan: planOf('VIDEOS', issue('blur')), ...clusters }))).toEqual([
    { entity_type: 'IMAGES', issues: ['blur'] },
  ]);
  const plan = planOf('OBJECTS', issue('normal'));
  expect(issuesOf(list.needs?.({ plan, sort: undefined, descending: false, ...page }))).toEqual([
    { entity_type: 'OBJECTS', issues: ISSUES },
  ]);
  const selected = planOf('IMAGES', issue('dark'), issue('dark'), issue('blur'));
  expect(issuesOf(select.needs?.([{ plan: selected, exclude_media_ids: [] }, { media_ids: ['an id'] }], []))).toEqual([
    { entity_type: 'IMAGES', issues: ['dark', 'blur'] },
  ]);
  const conditions = [issue('dark')];
  const inCluster = { cluster_id: 'a cluster', plan: { conditions, scores: [] }, ...page };
  expect(issuesOf(findCluster.needs?.(inCluster))).toEqual([{ entity_type: 'IMAGES', issues: ['dark'] }]);
  expect(issuesOf(listDuplicates.needs?.({ conditions, threshold: 1, ...page }))).toEqual([
    { entity_type: 'IMAGES', issues: ['dark'] },
  ]);
});

it('declares all issues where they are counted, listed or shown', () => {
  expect(issuesOf(issueMethods.count.needs?.(planOf('OBJECTS'), ISSUE_LIMITS))).toEqual([
    { entity_type: 'OBJECTS', issues: ISSUES },
  ]);
  expect(issuesOf(exploreMethods.countFacets.needs?.(planOf('VIDEOS'), ISSUE_LIMITS))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
  ]);
  expect(issuesOf(issueMethods.listOfItem.needs?.('an id', ISSUE_LIMITS))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
    { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS },
  ]);
  const { read } = mapMethods;
  expect(issuesOf(read.needs?.({ plan: planOf('IMAGES'), colour: 'issue', ...view }))).toEqual([
    { entity_type: 'IMAGES', issues: ISSUES },
  ]);
  expect(issuesOf(read.needs?.({ plan: planOf('IMAGES'), colour: 'label', ...view }))).toEqual([]);
});

it('declares the vectors and captions of a plan, and nothing for words', () => {
  const { count } = exploreMethods;
  const like = { name: 'like' as const, media_id: 'an id', max_distance: null };
  const search: QueryPlan = { ...planOf('IMAGES'), scores: [like] };
  const captions = planOf('IMAGES', { name: 'captions', op: 'contains', value: ['a word'] });
  const query = { op: 'phrase' as const, text: 'a word', is_prefix: false };
  const words: QueryPlan = {
    ...planOf('IMAGES'),
    scores: [{ name: 'words', query, columns: ['caption'], max_distance: null }],
  };
  expect(count.needs?.(search).plans).toEqual([search]);
  expect(count.needs?.(captions).plans).toEqual([captions]);
  expect(count.needs?.(words).plans).toEqual([]);
});
