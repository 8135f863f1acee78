import { describe, expect, it } from 'vitest';
import { matchDescriptions } from '../../../src-main/infra/duplicates/match-descriptions.ts';
import { seeded } from '../../support/images.ts';

const BYTES = 32;

describe('matching descriptions of corners', () => {
  it('finds the same as a plain search', () => {
    const random = seeded(5);
    const a = descriptions(300, random);
    // Every second description of `a`, with some bits flipped.
    const b = descriptions(150, random);
    for (let nth = 0; nth < 150; nth += 1)
      b.set(blurred(a.subarray(2 * nth * BYTES, (2 * nth + 1) * BYTES), random), nth * BYTES);
    const matched = matchDescriptions(a, b);
    expect(sorted(matched)).toEqual(sorted(plainly(a, b)));
    expect(matched.filter(([from, to]) => from === 2 * to).length).toBeGreaterThan(140);
  });

  it('assigns each corner once, and none if two are equally near', () => {
    const one = descriptions(1, seeded(1));
    const other = descriptions(1, seeded(2));
    expect(matchDescriptions(Uint8Array.of(...one, ...one), Uint8Array.of(...one, ...other))).toHaveLength(1);
    expect(matchDescriptions(one, Uint8Array.of(...one, ...one))).toEqual([]);
    expect(matchDescriptions(one, new Uint8Array())).toEqual([]);
  });
});

function plainly(a: Uint8Array, b: Uint8Array): [number, number][] {
  const best = new Map<number, [from: number, bits: number]>();
  for (let from = 0; from < a.length / BYTES; from += 1) {
    const apart = Array.from({ length: b.length / BYTES }, (_, to) => ({ to, bits: differingBits(a, from, b, to) }));
    const [nearest, next] = apart.sort((left, right) => left.bits - right.bits);
    if (!nearest || !next || nearest.bits >= 0.85 * next.bits) continue;
    const known = best.get(nearest.to);
    if (!known || nearest.bits < known[1]) best.set(nearest.to, [from, nearest.bits]);
  }
  return Array.from(best, ([to, [from]]) => [from, to]);
}

function differingBits(a: Uint8Array, from: number, b: Uint8Array, to: number): number {
  let bits = 0;
  for (let at = 0; at < BYTES; at += 1) {
    const different = (a[from * BYTES + at] as number) ^ (b[to * BYTES + at] as number);
    bits += different.toString(2).replaceAll('0', '').length;
  }
  return bits;
}

function descriptions(n: number, random: () => number): Uint8Array {
  return Uint8Array.from({ length: n * BYTES }, () => Math.floor(random() * 256));
}

function blurred(description: Uint8Array, random: () => number): Uint8Array {
  return description.map((byte) => (random() < 0.4 ? byte ^ (1 << Math.floor(random() * 8)) : byte));
}

function sorted(matches: readonly (readonly [number, number])[]): string[] {
  return matches.map(String).sort();
}
