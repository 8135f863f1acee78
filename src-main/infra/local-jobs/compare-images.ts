import type { ComparisonBatch } from '../../core/ports/duplicates.ts';
import { compareBatch } from '../duplicates/compare-batch.ts';
import type { JobContext } from './child-runtime.ts';

/** Handler of `compare_images` jobs: the share of each pair's area that matches. */
export function compareImages(payload: unknown, { signal, turn, progress }: JobContext): Promise<number[]> {
  return compareBatch(payload as ComparisonBatch, { signal, turn, onProgress: progress });
}
