import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { InspectionDepth } from '../../../core/ports/damage.ts';
import { bytesOfProjection } from '../../projection/projection-file.ts';
import { checksumOf } from './file-checksum.ts';

/** What is wrong with the file of a published projection; undefined when nothing is. */
export function inspectProjection(
  { file, count, sha256 }: { file: string; count: number; sha256: string },
  depth: InspectionDepth,
): string | undefined {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) return `${basename(file)} is missing`;
  if (bytes !== bytesOfProjection(count)) return `${basename(file)} is cut`;
  return depth === 'whole' && checksumOf(file) !== sha256 ? `${basename(file)} is damaged` : undefined;
}
