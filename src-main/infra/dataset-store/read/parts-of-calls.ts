import type { QueryPlan } from '../../../core/ports/query.ts';

/** All objects within some arguments, plans and their conditions among them. */
export function* partsOf(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  yield value;
  for (const part of Object.values(value)) yield* partsOf(part);
}

/** Whether a plan reads what takes long to bring in, such as vectors. */
export function takesLong({ conditions, scores }: QueryPlan): boolean {
  return scores.some(({ name }) => name !== 'words') || conditions.some(({ name }) => name === 'captions');
}

/** The plans within some arguments that name what they are about. */
export function plansOf(args: readonly unknown[]): QueryPlan[] {
  return [...partsOf(args)].filter(
    (part): part is QueryPlan => 'entity_type' in part && 'conditions' in part && 'scores' in part,
  );
}
