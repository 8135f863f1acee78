import type { EntityType } from '../../../contract/schemas/explore.ts';
import { ISSUES, type IssueName } from '../../../contract/schemas/issues.ts';
import type { ItemQuery } from '../../../core/ports/explore.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import { type Condition, type QueryPlan, rowsOf, type SelectionPart } from '../../../core/ports/query.ts';

/**
 * [Note: Needs of a call]
 * Some reads need data in memory that takes long to load or compute: vectors, captions, confidences of issues. Each method declares its
 * needs in the class that implements it, as a function of its arguments. The reader thread loads the data in chunks, waits for the vector engine where
 * it must, and answers other calls meanwhile. Immediately before the call, in its transaction, the data is checked and what changed since is
 * loaded again. Data that is not declared is loaded within the call and holds up other calls; label issues must be declared, because the
 * call cannot wait for the engine.
 */
export interface Needs {
  /** Plans whose conditions and scores may need data: each kind of them declares what it loads. */
  plans: readonly QueryPlan[];
  /** Issues that the call reads beside its plans. */
  issues: readonly NeededIssues[];
  /** The call itself asks the vector engine. */
  asksEngine?: true;
}

/** The needs of the methods of a port. A method that is left out needs nothing. */
export type NeedsOf<Reads> = {
  readonly [Name in keyof Reads]?: Reads[Name] extends (...args: infer Args) => unknown
    ? (...args: Args) => Needs
    : never;
};

/** Issues whose confidences must be computed for all rows, with the limits of the settings. */
export interface NeededIssues {
  entity_type: EntityType;
  issues: readonly IssueName[];
  limits: IssueLimits;
}

export function needsOfPlan(plan: QueryPlan): Needs {
  return { plans: [plan], issues: [] };
}

/** Like {@link needsOfPlan}, with all issues of the rows in addition. */
export function needsOfPlanAndIssues(plan: QueryPlan, limits: IssueLimits): Needs {
  return { plans: [plan], issues: [{ entity_type: rowsOf(plan.entity_type), issues: ISSUES, limits }] };
}

/** Like {@link needsOfPlan}, with the issues that the rows are sorted by or that are listed. */
export function needsOfList({ plan, sort, limits, isTable }: ItemQuery): Needs {
  const sorted = ISSUES.filter((issue) => issue === sort);
  const issues = isTable || sort === 'issues' ? ISSUES : sorted;
  if (!limits || issues.length === 0) return needsOfPlan(plan);
  return { plans: [plan], issues: [{ entity_type: rowsOf(plan.entity_type), issues, limits }] };
}

export function needsOfConditions(entityType: EntityType, conditions: readonly Condition[]): Needs {
  return needsOfPlan({ entity_type: entityType, conditions, scores: [] });
}

export function needsOfSelection(parts: readonly SelectionPart[]): Needs {
  return { plans: parts.flatMap((part) => ('plan' in part ? [part.plan] : [])), issues: [] };
}
