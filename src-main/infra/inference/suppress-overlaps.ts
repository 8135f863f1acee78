import type { Candidate } from './box-decoders.ts';

/**
 * Greedy non-maximum suppression: of boxes of one class that overlap by more than `max_iou` (intersection over union), selects the one with
 * the highest confidence.
 * @param candidates Highest confidence first.
 */
export function suppressOverlaps(candidates: readonly Candidate[], maxIou: number, maxObjects: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (kept.length >= maxObjects) break;
    const hidden = kept.some((other) => other.class_id === candidate.class_id && overlap(other, candidate) > maxIou);
    if (!hidden) kept.push(candidate);
  }
  return kept;
}

function overlap(a: Candidate, b: Candidate): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / ((a.right - a.left) * (a.bottom - a.top) + (b.right - b.left) * (b.bottom - b.top) - shared);
}
