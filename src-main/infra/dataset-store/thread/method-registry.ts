import type { Side } from '../../../core/ports/store-methods.ts';
import type { ServedMethods } from '../../threads/thread-port.ts';
import type { Needs } from './needs.ts';
import { STORE_METHODS, type StoreMethod } from './store-methods.ts';

/** A subject of the store and the class that implements one side of its port. */
export type ServedSubject<Subjects> = readonly [
  subject: keyof Subjects & string,
  served: { prototype: object; needs?: Readonly<Record<string, unknown>> },
];

type NeedsOfCall = (...args: readonly unknown[]) => Needs;

/** The methods that a thread serves. The constructor checks that every method of the side is implemented exactly once. */
export class MethodRegistry<Subjects extends object> {
  readonly #methods: ReadonlyMap<string, StoreMethod>;
  readonly #needs = new Map<string, NeedsOfCall>();

  /** @throws Error if a method has no implementation or two, or if the store has no such subject. */
  constructor(side: Side, served: readonly ServedSubject<Subjects>[]) {
    const required = STORE_METHODS.filter((method) => method.side === side);
    const known = new Map<string, StoreMethod>();
    for (const [subject, { prototype, needs }] of served) {
      const methods = required.filter((one) => one.subject === subject);
      if (methods.length === 0) throw new Error(`The store has no subject "${subject}" to ${side}`);
      for (const one of methods.filter(({ name }) => typeof Reflect.get(prototype, name) === 'function')) {
        if (known.has(one.key)) throw new Error(`The method ${one.key} is served twice`);
        known.set(one.key, one);
      }
      for (const [name, declared] of Object.entries(needs ?? {})) {
        this.#needs.set(`${subject}.${name}`, declared as NeedsOfCall);
      }
    }
    const missing = required.find(({ key }) => !known.has(key));
    if (missing) throw new Error(`The method ${missing.key} is not served`);
    this.#methods = known;
  }

  /** Binds the methods to the subjects of an open generation. */
  bind(subjects: Subjects): ServedMethods {
    const bound = [...this.#methods.values()].map(({ subject, name, key }) => {
      const served = Reflect.get(subjects, subject) as object;
      const method: (...args: unknown[]) => unknown = Reflect.get(served, name);
      return [key, method.bind(served)] as const;
    });
    return Object.fromEntries(bound);
  }

  /** Returns the data that a call may need loaded before it runs, or undefined for none. */
  needsOf(key: string, args: readonly unknown[]): Needs | undefined {
    return this.#needs.get(key)?.(...args);
  }
}
