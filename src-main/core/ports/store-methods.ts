/** `read`: answered by any reader thread. `write`: answered by the writer thread, one call at a time. */
export type Side = 'read' | 'write';

/**
 * The names of the methods of one subject of the store, as values: types do not exist when a thread sends or serves a call. The compiler
 * asks for each method of the port.
 */
export type StoreMethods<Reads, Writes = object> = { readonly [Name in keyof Reads]: 'read' } & {
  readonly [Name in keyof Writes]: 'write';
};
