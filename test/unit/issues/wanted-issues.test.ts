import { expect, it } from 'vitest';
import { ISSUES, ISSUES_OF_OBJECTS } from '../../../src-main/contract/schemas/issues.ts';
import { type Condition, everything } from '../../../src-main/core/ports/query.ts';
import { wantedIssues } from '../../../src-main/infra/dataset-store/read/issues/wanted-issues.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';

const issue = (value: (typeof ISSUES)[number] | 'normal'): Condition => ({
  name: 'issues',
  value,
  mode: 'in',
  limits: ISSUE_LIMITS,
});
const planOf = (entityType: 'IMAGES' | 'OBJECTS' | 'VIDEOS', ...conditions: Condition[]) => ({
  ...everything(entityType),
  conditions,
});

it.each([
  ['explore', [{ plan: planOf('IMAGES'), level: 2 }], undefined],
  ['counts', [], undefined],
  ['explore', [{ plan: planOf('VIDEOS', issue('blur')) }], [{ entity_type: 'IMAGES', issues: ['blur'] }]],
  ['listItems', [{ plan: planOf('OBJECTS', issue('normal')) }], [{ entity_type: 'OBJECTS', issues: ISSUES }]],
  [
    'select',
    [[{ plan: planOf('IMAGES', issue('dark'), issue('dark'), issue('blur')) }], []],
    [{ entity_type: 'IMAGES', issues: ['dark', 'blur'] }],
  ],
  ['countIssues', [planOf('OBJECTS'), ISSUE_LIMITS], [{ entity_type: 'OBJECTS', issues: ISSUES }]],
  [
    'issuesOf',
    ['an id', ISSUE_LIMITS],
    [
      { entity_type: 'IMAGES', issues: ISSUES },
      { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS },
    ],
  ],
])('a call of %s reads issues where its arguments say so', (method, args, wanted) => {
  const vector = new Float32Array(512);
  const expected = wanted?.map((of) => ({ ...of, limits: ISSUE_LIMITS }));
  expect(wantedIssues(method, args)).toEqual(expected);
  expect(wantedIssues(method, [{ vector }, ...args])).toEqual(expected);
});
