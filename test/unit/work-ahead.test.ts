import { describe, expect, it } from 'vitest';
import { workAhead } from '../../src-main/core/work-ahead.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let at = 0; at < count; at += 1) yield at;
}

describe('workAhead', () => {
  it('gives results in order with no more than the limit under way', async () => {
    const waiting: (() => void)[] = [];
    let [running, most] = [0, 0];
    const work = async (chunk: number) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        // The last begun ends first.
        if (waiting.length === 3 || chunk === 9) for (const end of waiting.splice(0).reverse()) end();
      });
      running -= 1;
      return chunk * 2;
    };
    const results: number[] = [];
    for await (const { chunk, result } of workAhead(numbers(10), work, 3)) {
      expect(result).toBe(chunk * 2);
      results.push(chunk);
      for (const end of waiting.splice(0)) end();
    }
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(3);
  });

  it('fails with the first failure in order, after all that was begun has ended', async () => {
    let ended = 0;
    const work = async (chunk: number) => {
      await Promise.resolve();
      ended += 1;
      if (chunk === 1) throw new Error('no');
      return chunk;
    };
    const seen: number[] = [];
    const all = async () => {
      for await (const { chunk } of workAhead(numbers(10), work, 4)) seen.push(chunk);
    };
    await expect(all()).rejects.toThrow('no');
    expect(seen).toEqual([0]);
    expect(ended).toBeGreaterThanOrEqual(4);
  });
});
