import { expect, it } from 'vitest';
import { DecodeMemory } from '../../src-main/infra/images/decode-memory.ts';

it('lets work begin as long as it fits together, in order, and what takes nothing at once', async () => {
  const memory = new DecodeMemory(100);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, bytes: number) =>
    memory.use(bytes, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const all = [work('a', 60), work('b', 40), work('c', 50), work('d', 10), work('free', 0)];
  await Promise.resolve();
  expect(begun.toSorted()).toEqual(['a', 'b', 'free']);
  ends.get('b')?.();
  await all[1];
  expect(begun).not.toContain('c');
  ends.get('a')?.();
  await all[0];
  await Promise.resolve();
  expect(begun.slice(3)).toEqual(['c', 'd']);
  for (const end of ends.values()) end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'free']);
});

it('refuses what never fits, and gives back what failed', async () => {
  const memory = new DecodeMemory(100);
  await expect(memory.use(101, async () => 1)).rejects.toMatchObject({ kind: 'too_large' });
  await expect(memory.use(100, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await memory.use(100, async () => 1)).toBe(1);
});
