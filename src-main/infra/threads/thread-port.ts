import type { Answered } from './answered.ts';

/** The methods of one subject that one side of a thread calls and the other side serves. */
export interface ThreadPort<Port extends object> {
  readonly subject: string;
  readonly methods: readonly (keyof Port & string)[];
}

/** Methods that a side serves, by `subject.method`. */
export type ServedMethods = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** @param methods Every method name of the port exactly once, which the compiler checks. */
export function threadPort<Port extends object>(
  subject: string,
  methods: { readonly [Name in keyof Port]: true },
): ThreadPort<Port> {
  return { subject, methods: Object.keys(methods) as (keyof Port & string)[] };
}

/** Returns the methods of a port, which call the other side. */
export function callsOf<Port extends object>(
  { subject, methods }: ThreadPort<Port>,
  side: { call: (key: string, args: unknown[]) => Promise<unknown> },
): Port {
  const calls = methods.map((name) => [name, (...args: unknown[]) => side.call(`${subject}.${name}`, args)]);
  return Object.fromEntries(calls);
}

/**
 * Returns the methods of a port by `subject.method`, bound to the object that implements them.
 * @throws Error if one is not implemented. Call it when the thread starts.
 */
export function serve<Port extends object>(
  { subject, methods }: ThreadPort<Port>,
  served: Answered<Port>,
): ServedMethods {
  const bound = methods.map((name) => {
    const method: unknown = served[name];
    if (typeof method !== 'function') throw new Error(`The method ${subject}.${name} is not served`);
    return [`${subject}.${name}`, method.bind(served)];
  });
  return Object.fromEntries(bound);
}
