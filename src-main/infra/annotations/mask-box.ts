import type { AnnotationBox } from './annotation-row.ts';

/** Maximum number of runs per mask. */
const MAX_RUNS = 4_000_000;

/**
 * Computes the box around a COCO mask in run-length encoding: alternating runs of background and foreground, column by column.
 * @param mask `size` is [height, width] in pixels; `counts` contains the runs as numbers or in COCO's compressed text (pycocotools,
 *   `maskApi.c`, `rleFrString`).
 * @returns Undefined for an empty or malformed mask.
 */
export function boxOfMask(mask: {
  size: readonly number[];
  counts: readonly number[] | string;
}): AnnotationBox | undefined {
  const [height = 0, width = 0] = mask.size;
  const runs = typeof mask.counts === 'string' ? runsOfText(mask.counts) : mask.counts;
  if (!(height > 0 && width > 0) || runs === undefined || runs.length > MAX_RUNS) return undefined;
  let [left, top, right, bottom] = [width, height, 0, 0];
  let at = 0;
  for (const [place, run] of runs.entries()) {
    const end = at + run;
    if (!(run >= 0) || end > width * height) return undefined;
    if (place % 2 === 1 && run > 0) {
      const [first, last] = [Math.floor(at / height), Math.floor((end - 1) / height)];
      left = Math.min(left, first);
      right = Math.max(right, last + 1);
      top = first === last ? Math.min(top, at % height) : 0;
      bottom = first === last ? Math.max(bottom, ((end - 1) % height) + 1) : height;
    }
    at = end;
  }
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}

/**
 * Decodes numbers with 5 bits per character, where the sixth bit marks continuation. From the third run on, numbers are differences to the
 * run before the previous one.
 */
function runsOfText(text: string): number[] | undefined {
  const runs: number[] = [];
  let at = 0;
  while (at < text.length) {
    let value = 0;
    let shift = 0;
    for (let more = true; more; shift += 5) {
      const bits = text.charCodeAt(at) - 48;
      if (!(bits >= 0 && bits < 64) || shift > 30) return undefined;
      value |= (bits & 0x1f) << shift;
      more = (bits & 0x20) !== 0;
      at += 1;
      if (!more && (bits & 0x10) !== 0) value |= -1 << (shift + 5);
    }
    runs.push(runs.length > 2 ? value + (runs.at(-2) ?? 0) : value);
  }
  return runs;
}
