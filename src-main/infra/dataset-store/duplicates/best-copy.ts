import type { KeepReason } from '../../../contract/schemas/duplicates.ts';
import type { CopyFacts } from './duplicate-pair.repository.ts';

/** Lossless formats. */
export const LOSSLESS: readonly string[] = ['png', 'tiff', 'bmp', 'jp2'];

/** Criteria in order of importance; a greater value is better. */
const CRITERIA: readonly { reason: KeepReason; worth: (copy: CopyFacts) => number }[] = [
  { reason: 'border', worth: ({ has_border }) => -has_border },
  { reason: 'resolution', worth: ({ pixels }) => pixels },
  { reason: 'format', worth: ({ format }) => Number(LOSSLESS.includes(format)) },
  { reason: 'size', worth: ({ size_bytes }) => size_bytes },
  { reason: 'metadata', worth: ({ n_details }) => n_details },
];

/** Orders copies, the best one to keep first; equal ones in order of import. */
export function compareCopies(a: CopyFacts, b: CopyFacts): number {
  for (const { worth } of CRITERIA) {
    const difference = worth(b) - worth(a);
    if (difference !== 0) return difference;
  }
  return a.row - b.row;
}

/** Returns the criterion by which the best of some ordered copies differs from the others. */
export function reasonToKeep([best, ...others]: readonly CopyFacts[]): KeepReason {
  if (!best) return 'first';
  let left = others;
  for (const { reason, worth } of CRITERIA) {
    const equals = left.filter((other) => worth(other) === worth(best));
    if (equals.length === 0) return reason;
    left = equals;
  }
  return 'first';
}
