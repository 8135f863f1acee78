import { describe, expect, it } from 'vitest';
import { onIndexFiles } from '../../../src-main/core/indexing/on-index-files.ts';

describe('work on files of an index', () => {
  const failed = new Error('no such file');
  const run = async (waiting: readonly (string | undefined)[]) => {
    const files = waiting[Symbol.iterator]();
    const next = () => {
      const file = files.next().value;
      return file === undefined ? undefined : { graph_file: file };
    };
    const worked: string[] = [];
    const first = next();
    if (first === undefined) throw new Error('nothing to begin with');
    const done = await onIndexFiles(
      first,
      () => Promise.resolve(next()),
      async ({ graph_file: file }) => {
        worked.push(file);
        if (file !== 'kept') throw failed;
      },
    );
    return { done: done?.graph_file, worked };
  };

  it('is done once where they stay', async () => {
    expect(await run(['kept'])).toEqual({ done: 'kept', worked: ['kept'] });
  });

  it('begins again with those that took their place', async () => {
    expect(await run(['1.knn', '3.knn', 'kept'])).toEqual({ done: 'kept', worked: ['1.knn', '3.knn', 'kept'] });
  });

  it('ends where there is nothing to do any more', async () => {
    expect(await run(['1.knn', undefined])).toEqual({ done: undefined, worked: ['1.knn'] });
  });

  it('fails where it was not for want of them', async () => {
    await expect(run(['1.knn', '1.knn'])).rejects.toBe(failed);
  });
});
