import type { EntityType } from '../../../../contract/schemas/explore.ts';
import { ISSUES, ISSUES_OF_OBJECTS, type IssueName } from '../../../../contract/schemas/issues.ts';
import type { DatasetReader } from '../../../../core/ports/dataset-reader.ts';
import type { IssueLimits } from '../../../../core/ports/issues.ts';
import type { Condition } from '../../../../core/ports/query.ts';
import { partsOf } from '../parts-of-calls.ts';

/** Issues that a call reads, and the limits that it reads them with. */
export interface WantedIssues {
  entity_type: EntityType;
  issues: readonly IssueName[];
  limits: IssueLimits;
}

type IssueCondition = Extract<Condition, { name: 'issues' }>;

/** Calls that read all issues of what a plan finds; their limits come last. */
const COUNTING: readonly string[] = ['countFacets', 'countIssues'] satisfies (keyof DatasetReader)[];
const OF_ITEM: keyof DatasetReader = 'issuesOf';

/** What a call of a {@link DatasetReader} reads of issues; undefined where it is nothing. */
export function wantedIssues(method: string, args: readonly unknown[]): WantedIssues[] | undefined {
  const limits = args.at(-1) as IssueLimits;
  if (method === OF_ITEM) {
    return [
      { entity_type: 'IMAGES', issues: ISSUES, limits },
      { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS, limits },
    ];
  }
  const parts = [...partsOf(args)];
  const isOfObjects = parts.some((part) => 'entity_type' in part && part.entity_type === 'OBJECTS');
  const entityType = isOfObjects ? 'OBJECTS' : 'IMAGES';
  if (COUNTING.includes(method)) return [{ entity_type: entityType, issues: ISSUES, limits }];
  const conditions = parts.filter((part): part is IssueCondition => 'name' in part && part.name === 'issues');
  const [first] = conditions;
  if (!first) return undefined;
  const chosen = conditions.flatMap(({ value }) => (value === 'normal' ? ISSUES : [value]));
  return [{ entity_type: entityType, issues: [...new Set(chosen)], limits: first.limits }];
}
