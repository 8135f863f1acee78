import type { Needs } from './needs.ts';

/** `read`: answered by any reader thread. `write`: answered by the writer thread, one call at a time. */
export type Side = 'read' | 'write';

export interface ReadMethod<Args extends unknown[] = never> {
  side: 'read';
  /** Data to load before the call: [Note: Needs of a call]. */
  needs?: (...args: Args) => Needs;
  /** Set for a method that asks the vector engine without declared needs. */
  asksEngine?: true;
}

export interface WriteMethod {
  side: 'write';
}

/**
 * The methods of one subject of the store: every method name of its port exactly once. The client's calls and the registries of the threads
 * are built from this table.
 */
export type MethodTable<Reads, Writes> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...args: infer Args) => unknown ? ReadMethod<Args> : never;
} & { readonly [Name in keyof Writes]: WriteMethod };

export const READ = { side: 'read' } as const;
export const WRITE = { side: 'write' } as const;
