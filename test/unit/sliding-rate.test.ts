import { expect, test } from 'vitest';
import { SlidingRate } from '../../src-main/core/tasks/sliding-rate.ts';

test('a rate is that of the window, and undefined before enough time has passed', () => {
  const rate = new SlidingRate(4000, 1000);
  expect(rate.perSecond).toBeNull();
  for (let at = 0; at <= 900; at += 10) rate.add(at, at);
  expect(rate.perSecond).toBeNull();
  for (let at = 910; at <= 10_000; at += 10) rate.add(at, at);
  expect(rate.perSecond).toBeCloseTo(1000);
  for (let at = 10_010; at <= 20_000; at += 10) rate.add(10_000 + (at - 10_000) / 2, at);
  expect(rate.perSecond).toBeCloseTo(500);
});

test('a constant or falling count has no rate', () => {
  const rate = new SlidingRate(4000, 1000);
  rate.add(100, 0);
  rate.add(100, 2000);
  expect(rate.perSecond).toBeNull();
  rate.add(50, 3000);
  expect(rate.perSecond).toBeNull();
  rate.reset();
  rate.add(0, 4000);
  rate.add(50, 5000);
  expect(rate.perSecond).toBe(50);
});
