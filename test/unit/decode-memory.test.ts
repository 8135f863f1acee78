import { expect, it } from 'vitest';
import { DECODE_BYTES, MemoryBudget, withMemory } from '../../src-main/infra/images/decode-memory.ts';

const MIB = 1024 ** 2;

it('starts work in order while it fits, and work without memory at once', async () => {
  const budget = new MemoryBudget(100);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, bytes: number) =>
    withMemory(
      (expected) => budget.borrow(expected),
      bytes,
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
    );
  const all = [work('a', 60), work('b', 40), work('c', 50), work('d', 10), work('free', 0)];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(begun.toSorted()).toEqual(['a', 'b', 'free']);
  ends.get('b')?.();
  await all[1];
  await settled();
  expect(begun).not.toContain('c');
  ends.get('a')?.();
  await all[0];
  await settled();
  expect(begun.slice(3)).toEqual(['c', 'd']);
  for (const end of ends.values()) end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'free']);
});

it('refuses work that never fits, and releases the memory of failed work', async () => {
  const budget = new MemoryBudget(100 * MIB);
  const borrow = (bytes: number) => budget.borrow(bytes);
  await expect(withMemory(borrow, DECODE_BYTES + 1, async () => 1)).rejects.toMatchObject({ kind: 'too_large' });
  await expect(withMemory(borrow, 100 * MIB, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withMemory(borrow, 100 * MIB, async () => 1)).toBe(1);
});
