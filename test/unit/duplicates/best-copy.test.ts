import { describe, expect, it } from 'vitest';
import { compareCopies, reasonToKeep } from '../../../src-main/infra/dataset-store/duplicates/best-copy.ts';

const copy = { row: 4, has_border: 1 as const, pixels: 100, format: 'jpeg', size_bytes: 50, n_details: 1 };

describe('the copy to keep', () => {
  it.each([
    ['border', { has_border: 0, pixels: 10 }],
    ['resolution', { pixels: 200, size_bytes: 1 }],
    ['format', { format: 'png', size_bytes: 1 }],
    ['size', { size_bytes: 60, n_details: 0 }],
    ['metadata', { n_details: 2 }],
    ['first', { row: 1 }],
  ] as const)('is chosen by %s', (reason, better) => {
    const copies = [copy, { ...copy, row: 5, ...better }, { ...copy, row: 6 }].sort(compareCopies);
    expect(copies[0]).toMatchObject(better);
    expect(reasonToKeep(copies)).toBe(reason);
  });

  it('is explained by the criterion that separates it from the last equal copy', () => {
    const copies = [{ ...copy, pixels: 10 }, copy, { ...copy, row: 9, size_bytes: 70 }].sort(compareCopies);
    expect(copies[0]?.row).toBe(9);
    expect(reasonToKeep(copies)).toBe('size');
  });
});
