import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Thread } from '../../../src-main/infra/threads/thread.ts';

interface Calls {
  prepared(nBefore: number, nAfter: number): Promise<number>;
  made(): Promise<number>;
}

function start(): Thread<Calls> {
  const thread = new Thread<Calls>({ entryFile: join(import.meta.dirname, 'preparing-thread.ts'), name: 'preparing' });
  onTestFinished(() => thread.close());
  return thread;
}

it('answers a call once there is enough for it, other calls meanwhile, and makes the rest afterwards', async () => {
  const thread = start();
  const answers: string[] = [];
  const note = (name: string) => (n: number) => {
    answers.push(name);
    return n;
  };
  const [first, between, second] = await Promise.all([
    thread.calls.prepared(5, 7).then(note('first')),
    thread.calls.made().then(note('between')),
    thread.calls.prepared(0, 0).then(note('second')),
  ]);
  expect(first).toBeGreaterThanOrEqual(5);
  expect(between).toBeLessThan(5);
  expect(second).toBeLessThan(12);
  expect(answers[0]).toBe('between');
  await expect.poll(() => thread.calls.made()).toBe(12);
});

it('ends while something is left to be made that nobody waits for', async () => {
  const thread = start();
  expect(await thread.calls.prepared(2, Number.POSITIVE_INFINITY)).toBe(2);
  await expect.poll(() => thread.calls.made()).toBeGreaterThan(10);
  await thread.close();
  // The next call starts another.
  expect(await thread.calls.made()).toBe(0);
});
