import { describe, expect, it } from 'vitest';
import { differingColours } from '../../../src-main/infra/duplicates/colour-change.ts';
import { seeded } from '../../support/images.ts';

const COUNT = 600;
type Colour = [luma: number, blue: number, red: number];

function colours(seed: number): Float32Array {
  const random = seeded(seed);
  return Float32Array.from(
    Array.from({ length: COUNT }, () => [40 + 170 * random(), 80 * (random() - 0.5), 80 * (random() - 0.5)]).flat(),
  );
}

/** Share of samples whose colours differ after a change. */
function differing(change: (colour: Colour, at: number) => Colour): number {
  const a = colours(1);
  const b = Float32Array.from(
    Array.from({ length: COUNT }, (_, at) =>
      change([a[at * 3] as number, a[at * 3 + 1] as number, a[at * 3 + 2] as number], at),
    ).flat(),
  );
  const marked = differingColours({ count: COUNT, a, b, tolerance: new Float32Array(COUNT) });
  return marked.reduce((sum, one) => sum + one, 0) / COUNT;
}

describe('different colours', () => {
  it.each<[string, (colour: Colour) => Colour]>([
    ['nothing', (colour) => colour],
    ['exposure', ([luma, blue, red]) => [Math.min(255, luma * 1.4), blue * 1.4, red * 1.4]],
    ['brightness', ([luma, blue, red]) => [luma + 30, blue, red]],
    ['contrast', ([luma, blue, red]) => [(luma - 128) * 0.6 + 128, blue * 0.6, red * 0.6]],
    ['saturation', ([luma, blue, red]) => [luma, blue * 0.4, red * 0.4]],
    ['all colour', ([luma]) => [luma, 0, 0]],
    ['white balance', ([luma, blue, red]) => [luma, blue - 0.12 * luma, red + 0.08 * luma]],
  ])('are none when a change of %s explains them', (_what, change) => {
    expect(differing(change)).toBeLessThan(0.01);
  });

  it('are those of a part that changes relative to the rest', () => {
    const isPart = (at: number) => at % 4 === 0;
    expect(differing(([luma, blue, red], at) => (isPart(at) ? [luma, -40, 60] : [luma, blue, red]))).toBeGreaterThan(
      0.12,
    );
    expect(differing(([luma, blue, red], at) => [isPart(at) ? 255 - luma : luma, blue, red])).toBeGreaterThan(0.12);
    const warmer = ([luma, blue, red]: Colour): Colour => [luma * 1.1, blue - 15, red + 10];
    const share = differing((colour, at) => (isPart(at) ? [230, 0, 0] : warmer(colour)));
    expect(share).toBeGreaterThan(0.12);
    expect(share).toBeLessThan(0.27);
  });
});
