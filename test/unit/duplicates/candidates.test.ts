import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCandidates, writeCandidates } from '../../../src-main/infra/duplicates/candidate-file.ts';
import { CandidateSet } from '../../../src-main/infra/duplicates/candidate-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const pair = (a: number, b: number, marks: { is_mirrored?: boolean; is_aligned?: boolean } = {}) => ({
  a,
  b,
  is_mirrored: false,
  is_aligned: false,
  ...marks,
});

describe('candidates', () => {
  it('are listed once, in order of similarity', () => {
    const set = new CandidateSet(Int32Array.of(3, 0, 2, 1), 5);
    for (const one of [pair(1, 2), pair(2, 1, { is_aligned: true }), pair(0, 3), pair(3, 0, { is_mirrored: true })])
      set.add(one);
    // A row without a position in the order, and a row paired with itself, are not candidates.
    set.add(pair(4, 1));
    set.add(pair(2, 2));
    expect([...set.inOrder()]).toEqual([
      pair(0, 3),
      pair(0, 3, { is_mirrored: true }),
      pair(1, 2, { is_aligned: true }),
    ]);
  });

  it('are read page by page as they were written', async () => {
    const file = join(await temporaryFolder(), 'candidates');
    const pairs = [pair(1, 5), pair(2, 7, { is_mirrored: true }), pair(0, 9, { is_mirrored: true, is_aligned: true })];
    writeCandidates(file, pairs);
    expect(readCandidates(file, 0, 2)).toEqual({ pairs: pairs.slice(0, 2), total: 3 });
    expect(readCandidates(file, 2, 2)).toEqual({ pairs: pairs.slice(2), total: 3 });
    expect(readCandidates(file, 3, 2)).toEqual({ pairs: [], total: 3 });
    writeCandidates(file, []);
    expect(readCandidates(file, 0, 2)).toEqual({ pairs: [], total: 0 });
  });
});
