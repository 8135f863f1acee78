import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibratedDistance, cosineAt } from '../../src-main/core/enrichment/calibration.ts';

const noise = fc.record({
  mean: fc.double({ min: -0.5, max: 0.9, noNaN: true }),
  deviation: fc.double({ min: 0.005, max: 0.3, noNaN: true }),
});

describe('calibrated distances', () => {
  it('are as the interface defines: strong at 3 deviations above the noise, loose at 2 and below', () => {
    const clip = { mean: 0.18, deviation: 0.03 };
    expect(calibratedDistance(0.18 + 3 * 0.03, clip)).toBeCloseTo(0.4, 6);
    expect(calibratedDistance(0.18 + 2 * 0.03, clip)).toBeCloseTo(0.6, 6);
    expect(calibratedDistance(0.18, clip)).toBeGreaterThan(0.85);
  });

  it('keep the order of cosines and stay between 0 and 1', () => {
    fc.assert(
      fc.property(
        noise,
        fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })),
        (known, [a, b]) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const [far, near] = [calibratedDistance(low, known), calibratedDistance(high, known)];
          expect(far).toBeGreaterThanOrEqual(near);
          expect(near).toBeGreaterThanOrEqual(0);
          expect(far).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('can be converted back to cosines', () => {
    fc.assert(
      fc.property(noise, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (known, distance) => {
        expect(calibratedDistance(cosineAt(distance, known), known)).toBeCloseTo(distance, 6);
      }),
    );
    expect(cosineAt(1, { mean: 0, deviation: 1 })).toBe(Number.NEGATIVE_INFINITY);
    expect(cosineAt(0, { mean: 0, deviation: 1 })).toBe(Number.POSITIVE_INFINITY);
  });
});
