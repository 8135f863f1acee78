import { describe, expect, it } from 'vitest';
import { createPace } from '../../../src-main/infra/files/read-pace.ts';
import { Claims } from '../../../src-main/infra/giving-way/claims.ts';
import { setClaimed, WorkPace } from '../../../src-main/infra/giving-way/work-pace.ts';

async function msOf(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

describe('the pace of background work', () => {
  it('rests between slices while there is a claim, also in another thread, and goes on when the claim ends', async () => {
    const claims = new Claims();
    const pace = new WorkPace(claims.memory);
    expect(await msOf(pace.turn())).toBeLessThan(100);
    claims.claim();
    // The longest slice that counts has 100 ms, and a rest is four times as long.
    expect(await msOf(Promise.all([pace.turn(), pace.turn()]))).toBeGreaterThan(350);
    const slow = new WorkPace(claims.memory);
    const resting = msOf(slow.turn());
    setClaimed(claims.memory, false);
    expect(await resting).toBeLessThan(350);
  });

  it('is awaited after each read of a check', async () => {
    let nTurns = 0;
    const turn = async () => {
      nTurns += 1;
    };
    const pace = createPace({ turn });
    await pace(1000);
    await pace(1000);
    expect(nTurns).toBe(2);
  });
});
