import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fetchAll } from '../../../src-main/infra/storage/fetch-all.ts';

const { signal } = new AbortController();

test('everything comes, failures included, and never more at once than allowed', async () => {
  let pulled = 0;
  let taken = 0;
  let running = 0;
  let mostRunning = 0;
  let mostHeld = 0;
  async function* source() {
    for (; pulled < 5_000; ) yield pulled++;
  }
  const worker = async (item: number) => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    for (let turns = item % 3; turns >= 0; turns -= 1) await turn();
    running -= 1;
    if (item % 100 === 0) throw new Error(`no ${item}`);
    return item * 2;
  };
  const seen = new Set<number>();
  let failures = 0;
  for await (const outcome of fetchAll(source(), worker, { concurrency: 8, signal })) {
    taken += 1;
    mostHeld = Math.max(mostHeld, pulled - taken);
    seen.add(outcome.item);
    if (outcome.ok) expect(outcome.result).toBe(outcome.item * 2);
    else failures += 1;
    if (taken % 500 === 0) for (let turns = 0; turns < 50; turns += 1) await turn();
  }
  expect(seen.size).toBe(5_000);
  expect(failures).toBe(50);
  expect(mostRunning).toBe(8);
  expect(mostHeld).toBeLessThanOrEqual(9);
});

test('a slow item does not hold up the others', async () => {
  const order: number[] = [];
  const release: { go: () => void } = { go: () => undefined };
  const slow = new Promise<void>((resolve) => {
    release.go = resolve;
  });
  const worker = async (item: number) => {
    if (item === 0) await slow;
    return item;
  };
  for await (const { item } of fetchAll([0, 1, 2, 3, 4], worker, { concurrency: 2, signal })) {
    order.push(item);
    if (item === 4) release.go();
  }
  expect(order).toEqual([1, 2, 3, 4, 0]);
});

test('an end of the source by failure comes after what was begun', async () => {
  async function* source() {
    yield 1;
    yield 2;
    throw new Error('the list broke');
  }
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { item } of fetchAll(source(), async (item) => item, { concurrency: 4, signal })) seen.push(item);
  })();
  await expect(reading).rejects.toThrow('the list broke');
  expect(seen).toEqual([1, 2]);
});

test('leaving early and aborting stop the workers and wait for them', async () => {
  for (const way of ['leave', 'abort']) {
    const stop = new AbortController();
    let open = 0;
    const worker = async (item: number, stopped: AbortSignal) => {
      if (item === 0) return item;
      open += 1;
      await new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve(), { once: true }));
      await turn();
      open -= 1;
      return item;
    };
    const reading = (async () => {
      for await (const _ of fetchAll([0, 1, 2, 3], worker, { concurrency: 3, signal: stop.signal })) {
        if (way === 'leave') break;
        await turn();
        stop.abort();
      }
    })();
    if (way === 'abort') await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    else await reading;
    expect(open).toBe(0);
  }
});
