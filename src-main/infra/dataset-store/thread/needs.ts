import type { EntityType } from '../../../contract/schemas/explore.ts';
import { ISSUES, type IssueName } from '../../../contract/schemas/issues.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import { type Condition, type QueryPlan, rowsOf, type SelectionPart } from '../../../core/ports/query.ts';

/**
 * [Note: Needs of a call]
 * Some reads need data in memory that takes long to load or compute: vectors, captions, confidences of issues. Each method declares its
 * needs beside its name, as a function of its arguments. The reader thread loads the data in chunks, waits for the vector engine where
 * it must, and answers other calls meanwhile. Immediately before the call, in its transaction, the data is checked and what changed since is
 * loaded again. Data that is not declared is loaded within the call and holds up other calls; label issues must be declared, because the
 * call cannot wait for the engine.
 */
export interface Needs {
  /** Plans whose vectors and captions must be loaded. */
  plans: readonly QueryPlan[];
  issues: readonly NeededIssues[];
}

/** Issues whose confidences must be computed for all rows, with the limits of the settings. */
export interface NeededIssues {
  entity_type: EntityType;
  issues: readonly IssueName[];
  limits: IssueLimits;
}

export function needsOfPlan(plan: QueryPlan): Needs {
  return { plans: loadable(plan), issues: issuesOf(rowsOf(plan.entity_type), plan.conditions) };
}

/** Like {@link needsOfPlan}, with all issues of the rows in addition. */
export function needsOfPlanAndIssues(plan: QueryPlan, limits: IssueLimits): Needs {
  return { plans: loadable(plan), issues: [{ entity_type: rowsOf(plan.entity_type), issues: ISSUES, limits }] };
}

export function needsOfConditions(entityType: EntityType, conditions: readonly Condition[]): Needs {
  return needsOfPlan({ entity_type: entityType, conditions, scores: [] });
}

export function needsOfSelection(parts: readonly SelectionPart[]): Needs {
  const needs = parts.flatMap((part) => ('plan' in part ? [needsOfPlan(part.plan)] : []));
  return { plans: needs.flatMap(({ plans }) => plans), issues: needs.flatMap(({ issues }) => issues) };
}

/** Returns the plan if it reads vectors or captions. */
function loadable(plan: QueryPlan): QueryPlan[] {
  const isLoading =
    plan.scores.some(({ name }) => name !== 'words') || plan.conditions.some(({ name }) => name === 'captions');
  return isLoading ? [plan] : [];
}

/** Returns the issues that conditions test. All conditions use the limits of the settings. */
function issuesOf(entityType: EntityType, conditions: readonly Condition[]): NeededIssues[] {
  const tests = conditions.filter((condition) => condition.name === 'issues');
  const [first] = tests;
  if (!first) return [];
  const tested = tests.flatMap(({ value }) => (value === 'normal' ? ISSUES : [value]));
  return [{ entity_type: entityType, issues: [...new Set(tested)], limits: first.limits }];
}
