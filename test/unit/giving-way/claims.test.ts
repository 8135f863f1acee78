import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Claims } from '../../../src-main/infra/giving-way/claims.ts';

describe('claims on the processors', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('slow background jobs down from the first claim until some time after the last', () => {
    const changes: boolean[] = [];
    const claims = new Claims();
    claims.onChange((isClaimed) => changes.push(isClaimed));
    const first = claims.claim();
    const second = claims.claim();
    first();
    vi.advanceTimersByTime(1000);
    expect(changes).toEqual([true]);
    second();
    vi.advanceTimersByTime(100);
    // The next request of the same screen.
    claims.claim()();
    vi.advanceTimersByTime(200);
    expect(changes).toEqual([true]);
    vi.advanceTimersByTime(100);
    expect(changes).toEqual([true, false]);
    claims.claim();
    expect(changes).toEqual([true, false, true]);
  });
});
