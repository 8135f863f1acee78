import { describe, expect, it } from 'vitest';
import { imageInput } from '../../src-main/contract/schemas/model-definition.ts';
import { decodeDetr, decodeYolox } from '../../src-main/infra/inference/box-decoders.ts';
import { UnfitGraphError } from '../../src-main/infra/inference/image-graph.ts';
import { suppressOverlaps } from '../../src-main/infra/inference/suppress-overlaps.ts';
import { meanAveragePrecision } from '../support/average-precision.ts';

const input = imageInput.parse({ width_px: 64, height_px: 32, resize: 'letterbox' });
const outputs = (values: Record<string, { values: number[]; dims: number[] }>) =>
  new Map(
    Object.entries(values).map(([name, { values: ofName, dims }]) => [
      name,
      { values: Float32Array.from(ofName), dims },
    ]),
  );

describe('box decoders', () => {
  it('YOLOX: cells row by row on strides 8, 16 and 32, each for its most probable class', () => {
    // 8 × 4 + 4 × 2 + 2 × 1 cells. The third cell in the second row of stride 16 has an offset of half a cell, a width of two strides and a
    // height of one.
    const rows = Array.from({ length: 42 }, () => [0, 0, 0, 0, 0, 0, 0]);
    rows[32 + 4 + 2] = [0.5, 0.5, Math.log(2), 0, 0.8, 0.25, 0.75];
    const found = decodeYolox(outputs({ output: { values: rows.flat(), dims: [42, 7] } }), {
      input,
      n_labels: 2,
      min_confidence: 0.3,
    });
    expect(found).toHaveLength(1);
    const [{ confidence = 0, ...box } = {}] = found;
    expect(confidence).toBeCloseTo(0.6, 5);
    expect(box).toEqual({
      class_id: 1,
      left: expect.closeTo(24, 5),
      top: 16,
      right: expect.closeTo(56, 5),
      bottom: 32,
    });
    expect(() =>
      decodeYolox(outputs({ output: { values: rows.flat(), dims: [42, 7] } }), {
        input,
        n_labels: 3,
        min_confidence: 0,
      }),
    ).toThrow(UnfitGraphError);
  });

  it('DETR: centre and size in fractions, sigmoids or a softmax with a class for no object', () => {
    const boxes = { values: [0.5, 0.5, 0.5, 0.25], dims: [1, 4] };
    const box = { left: 16, top: 12, right: 48, bottom: 20 };
    const decode = (logits: number[], nLabels: number) =>
      decodeDetr(outputs({ logits: { values: logits, dims: [1, logits.length] }, pred_boxes: boxes }), {
        input,
        n_labels: nLabels,
        min_confidence: 0.3,
      });
    expect(decode([0, -9], 2)).toEqual([{ class_id: 0, confidence: 0.5, ...box }]);
    expect(decode([0, 0, -99], 2)).toEqual([0, 1].map((classId) => ({ class_id: classId, confidence: 0.5, ...box })));
    expect(decode([0, 0, 9], 2)).toEqual([]);
    expect(() => decode([0, 0, 0, 0], 2)).toThrow(UnfitGraphError);
  });

  it('suppression keeps other classes and boxes with little overlap, and stops at the limit', () => {
    const at = (classId: number, left: number, confidence: number) => ({
      class_id: classId,
      confidence,
      left,
      top: 0,
      right: left + 10,
      bottom: 10,
    });
    const found = [at(0, 0, 0.9), at(0, 2, 0.8), at(1, 2, 0.7), at(0, 8, 0.6)];
    expect(suppressOverlaps(found, 0.45, 10)).toEqual([found[0], found[2], found[3]]);
    expect(suppressOverlaps(found, 0.45, 2)).toEqual([found[0], found[2]]);
  });
});

describe('mean average precision', () => {
  const corners = [0, 0, 10, 10] as const;
  const far = [50, 50, 60, 60] as const;
  const truth = { class_id: 0, is_crowd: false };

  it('is the area under precision at 101 recalls', () => {
    const found = [
      { image: 'a', class_id: 0, confidence: 0.9, corners },
      { image: 'a', class_id: 0, confidence: 0.8, corners },
      { image: 'b', class_id: 0, confidence: 0.7, corners },
    ];
    const all = ['a', 'b'].map((image) => ({ image, corners, ...truth }));
    // Right, wrong (already matched), right: precision 1 up to a recall of 0.5, then 2/3.
    expect(meanAveragePrecision(found, all)).toBeCloseTo((51 + 50 * (2 / 3)) / 101, 10);
  });

  it('ignores boxes in a crowd, and averages over existing classes', () => {
    const found = [
      { image: 'a', class_id: 0, confidence: 0.9, corners: far },
      { image: 'a', class_id: 0, confidence: 0.8, corners },
    ];
    const crowd = { image: 'a', class_id: 0, is_crowd: true, corners: [0, 0, 99, 99] as const };
    const other = { image: 'a', class_id: 1, is_crowd: false, corners };
    expect(meanAveragePrecision(found, [{ image: 'a', corners, ...truth }, crowd])).toBe(1);
    expect(meanAveragePrecision(found, [{ image: 'a', corners, ...truth }, crowd, other])).toBe(0.5);
  });
});
