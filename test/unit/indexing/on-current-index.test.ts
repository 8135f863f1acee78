import { describe, expect, it } from 'vitest';
import { onCurrentIndex } from '../../../src-main/core/indexing/on-current-index.ts';

describe('a job on the current index', () => {
  const failed = new Error('no such file');
  /**
   * @param versions Index versions in the order of preparation; undefined if none is left. @param works The version whose files still
   * exist.
   */
  const run = async (versions: readonly (number | undefined)[], works?: number) => {
    const prepared = versions[Symbol.iterator]();
    const next = () => {
      const version = prepared.next().value;
      return version === undefined ? undefined : { index_version: version };
    };
    const ran: number[] = [];
    const first = next();
    if (first === undefined) throw new Error('nothing to begin with');
    const done = await onCurrentIndex(
      first,
      () => Promise.resolve(next()),
      async ({ index_version }) => {
        ran.push(index_version);
        if (index_version !== works) throw failed;
      },
    );
    return { done: done?.index_version, ran };
  };

  it('runs once when its version stays', async () => {
    expect(await run([1], 1)).toEqual({ done: 1, ran: [1] });
  });

  it('starts again with the version that replaced its own', async () => {
    expect(await run([1, 3, 5], 5)).toEqual({ done: 5, ran: [1, 3, 5] });
  });

  it('ends when nothing is left to do', async () => {
    expect(await run([1, undefined])).toEqual({ done: undefined, ran: [1] });
  });

  it('fails when its version is still the current one', async () => {
    await expect(run([1, 1])).rejects.toBe(failed);
  });
});
