import type { PixelBox } from '../../../core/ports/image.ts';
import type { RowProblem, RowProblemCount } from '../../../core/ports/results.ts';
import { toPixelBox } from '../../annotations/pixel-box.ts';
import { scaleToUnit } from '../../inference/unit-vector.ts';

/** An item of the dataset, living or not. */
export interface ResultItem {
  row: number;
  width: number;
  height: number;
}

/** Counts the problems of the rows of one part. */
export class ProblemCounts {
  readonly counts = new Map<RowProblem, Omit<RowProblemCount, 'problem'>>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param row Number of the row in the file, from 1. */
  add(problem: RowProblem, row: number): void {
    const known = this.counts.get(problem);
    if (known) known.n += 1;
    else this.counts.set(problem, { n: 1, file: this.#file, row });
  }
}

/** Writes an embedding with length 1 to `target`, or returns what is wrong with it. */
export function checkVector(value: Float32Array, target: Float32Array): RowProblem | undefined {
  if (value.length !== target.length) return 'not_vectors';
  if (scaleToUnit(value, target)) return undefined;
  return value.every(Number.isFinite) ? 'zero' : 'not_finite';
}

/** Returns a confidence, null for none, or what is wrong with it. */
export function checkConfidence(value: unknown): number | null | RowProblem {
  if (value === null) return null;
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : 'bad_confidence';
}

/** Returns a label or caption, or what is wrong with it. */
export function checkText(value: unknown): { text: string } | RowProblem {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? 'without_text' : { text };
}

/** Returns a box in whole pixels, clipped to the image, or what is wrong with it. */
export function checkBox(value: unknown, { width, height }: ResultItem): PixelBox | RowProblem {
  const numbers = Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : [];
  const [x, y, w, h] = numbers.map(Number);
  const isBox = numbers.length === 4 && numbers.every((one) => typeof one === 'number' && Number.isFinite(one));
  if (!isBox || x === undefined || y === undefined || !w || !h || w < 0 || h < 0) return 'bad_box';
  const box = toPixelBox({ x, y, width: w, height: h }, 'px', width, height);
  return 'reason' in box ? 'bad_box' : box;
}
