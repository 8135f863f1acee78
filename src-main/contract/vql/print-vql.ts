import type { Filter } from './filters.ts';

/** A query as VQL: what {@link parseVql} reads back to the same filters. */
export function printVql(filters: readonly Filter[]): string {
  return JSON.stringify(filters.map(({ name, body }) => ({ [name]: body })));
}
