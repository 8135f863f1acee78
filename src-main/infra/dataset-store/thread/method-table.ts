import type { Needs } from './needs.ts';

/** `read`: any reader thread answers. `write`: the writer thread answers, one call after the other. */
export type Side = 'read' | 'write';

export interface ReadMethod<Args extends unknown[] = never> {
  side: 'read';
  /** Data to make ready before the call: [Note: Needs of a call]. */
  needs?: (...args: Args) => Needs;
}

export interface WriteMethod {
  side: 'write';
}

/**
 * The methods of one subject of the store: each name of its port exactly once. The calls of the owner and the registries of the threads
 * are built from it.
 */
export type MethodTable<Reads, Writes> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...args: infer Args) => unknown ? ReadMethod<Args> : never;
} & { readonly [Name in keyof Writes]: WriteMethod };

export const READ = { side: 'read' } as const;
export const WRITE = { side: 'write' } as const;
