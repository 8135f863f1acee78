import { describe, expect, it } from 'vitest';
import { awaitAllOf } from '../../../src-main/infra/dataset-store/columns/pieces.ts';
import { labelIssues } from '../../../src-main/infra/dataset-store/issues/label-issues.ts';
import { ownLabels } from '../../../src-main/infra/dataset-store/issues/label-table.ts';
import { LabelsOfRows } from '../../../src-main/infra/dataset-store/labels/labels-of-rows.ts';
import { buildNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { seeded } from '../../support/images.ts';

const DIM = 8;
const EACH = 40;
const KINDS = ['cat', 'dog', 'ship'] as const;
const COUNT = EACH * KINDS.length;

/** Vectors around one direction per kind, one kind after the other. */
function vectorsOf(random: () => number, spread: number): Float32Array {
  const vectors = new Float32Array(COUNT * DIM);
  for (let row = 0; row < COUNT; row += 1) {
    const kind = Math.floor(row / EACH);
    const vector = Array.from({ length: DIM }, (_, at) => (at === kind ? 1 : 0) + spread * (random() - 0.5));
    const norm = Math.hypot(...vector);
    vectors.set(
      vector.map((value) => value / norm),
      row * DIM,
    );
  }
  return vectors;
}

const kindOf = (row: number) => KINDS[Math.floor(row / EACH)] ?? 'cat';

async function found(labelOf: (row: number) => readonly string[], edits: Parameters<typeof ownLabels>[2] = new Map()) {
  const vectors = vectorsOf(seeded(7), 0.4);
  const graph = await buildNeighborGraph({
    vectors: new HeldVectors(vectors, DIM),
    count: COUNT,
    dead: new Set(),
    threads: 1,
  });
  const stored = new LabelsOfRows();
  for (let row = 0; row < COUNT; row += 1) for (const label of labelOf(row)) stored.add(row, label, 'own', null);
  const table = ownLabels('IMAGES', stored, edits, COUNT);
  const alive = RowSet.where(COUNT, () => true);
  const issues = await awaitAllOf(labelIssues([{ first: 0, ...graph }], table, alive, COUNT, 1.5));
  const rowsOf = (confidences: Float32Array) => [...confidences.keys()].filter((row) => (confidences[row] ?? 0) >= 0.5);
  return {
    mislabels: rowsOf(issues.mislabels),
    outliers: rowsOf(issues.label_outlier),
    instead: (row: number) => table.names[issues.instead[row] ?? -1],
    confidence: (row: number) => issues.mislabels[row] ?? 0,
  };
}

describe('mislabels', () => {
  it('are none when all rows have the label of their neighbours', async () => {
    expect((await found((row) => [kindOf(row)])).mislabels).toEqual([]);
  });

  it('are those whose neighbours have another label, with that label', async () => {
    const wrong = new Map([
      [3, 'dog'],
      [50, 'ship'],
      [100, 'cat'],
    ]);
    const issues = await found((row) => [wrong.get(row) ?? kindOf(row)]);
    expect(issues.mislabels).toEqual([3, 50, 100]);
    expect([3, 50, 100].map(issues.instead)).toEqual(['cat', 'dog', 'ship']);
    expect(issues.confidence(3)).toBeGreaterThan(0.9);
  });

  it('may be one of several labels', async () => {
    const issues = await found((row) => (row === 3 ? ['animal', 'dog'] : [kindOf(row), 'animal']));
    expect(issues.mislabels).toEqual([3]);
    expect(issues.instead(3)).toBe('cat');
  });

  it('exclude confirmed labels, and rows without a label', async () => {
    const confirmed = new Map([['dog', { has: RowSet.of(COUNT, [3]), hasNot: new RowSet(COUNT) }]]);
    const labelOf = (row: number) => (row === 60 ? [] : row === 3 ? ['dog'] : [kindOf(row)]);
    expect((await found(labelOf, confirmed)).mislabels).toEqual([]);
  });

  it('ignore labels that neighbourhoods do not agree on', async () => {
    const random = seeded(3);
    const issues = await found(() => [KINDS[Math.floor(random() * 3)] ?? 'cat']);
    expect(issues.mislabels.length).toBeLessThan(COUNT / 5);
  });
});

describe('label outliers', () => {
  it('are rows far from all others with their label', async () => {
    const issues = await found((row) => [row === 90 ? 'cat' : kindOf(row)]);
    expect(issues.outliers).toContain(90);
    expect(issues.outliers.length).toBeLessThan(5);
  });

  it('are none among few', async () => {
    expect((await found((row) => (row % EACH < 10 ? [kindOf(row)] : []))).outliers).toEqual([]);
  });
});

it('labels of objects, and guesses of a tagger, are not those of an image', () => {
  const stored = new LabelsOfRows();
  stored.add(0, 'cat', 'of_object', null);
  stored.add(0, 'dog', 'own', 0.9);
  stored.add(1, 'cat', 'own', null);
  const { offsets, labels } = ownLabels('IMAGES', stored, new Map(), 2);
  expect([[...offsets], [...labels]]).toEqual([[0, 0, 1], [0]]);
});
