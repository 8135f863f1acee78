import { expect, it } from 'vitest';
import { RecentlyUsed } from '../../src-main/infra/recently-used.ts';

it('makes what is asked for once, until others were asked for since', async () => {
  const kept = new RecentlyUsed<Promise<string>>(2);
  const made: string[] = [];
  const get = (key: string) =>
    kept.get(key, async () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['A', 'A', 'B']);
  await get('a');
  await get('c');
  await get('a');
  await get('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
