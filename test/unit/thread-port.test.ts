import { expect, it } from 'vitest';
import { methodOf } from '../../src-main/infra/threads/thread-messages.ts';
import { callsOf, serve, threadPort } from '../../src-main/infra/threads/thread-port.ts';

interface Counting {
  add(a: number, b: number): Promise<number>;
  count(): Promise<number>;
}

const COUNTING = threadPort<Counting>('counting', { add: true, count: true });

/** Counts its calls. */
class Counter {
  #nCalls = 0;

  add(a: number, b: number): number {
    this.#nCalls += 1;
    return a + b;
  }

  count(): number {
    return this.#nCalls;
  }
}

it('calls the methods of a port by subject and name', async () => {
  const served = serve(COUNTING, new Counter());
  const calls = callsOf(COUNTING, { call: async (key, args) => methodOf(served, key)(...args) });
  expect(await calls.add(1, 2)).toBe(3);
  expect(await calls.count()).toBe(1);
  expect(Object.keys(served)).toEqual(['counting.add', 'counting.count']);
});

it('fails at start when a method is missing', () => {
  const incomplete: object = { add: () => 0 };
  expect(() => serve(COUNTING, incomplete as never)).toThrow('The method counting.count is not served');
});

it('serves nothing else, and resolves to itself', async () => {
  const served = serve(COUNTING, new Counter());
  for (const key of ['add', 'counting.then', 'counting.toString', 'toString', '__proto__']) {
    expect(() => methodOf(served, key)).toThrow(`The thread serves no method ${key}`);
  }
  const calls = callsOf(COUNTING, { call: async () => undefined });
  expect(await calls).toBe(calls);
});
