import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Message, message } from '../../../contract/messages.ts';
import type { InspectionDepth } from '../../../core/ports/damage.ts';
import { checksumOf } from '../../files/file-checksum.ts';
import { bytesOfProjection } from '../../projection/projection-file.ts';

/** Returns the problem with the file of a published projection; undefined if there is none or no projection. */
export function inspectProjection(
  { file, count, sha256 }: { file: string; count: number; sha256: string },
  depth: InspectionDepth,
): Message | undefined {
  const name = basename(file);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) return message('file_missing', { file: name });
  if (bytes !== bytesOfProjection(count)) return message('file_cut', { file: name });
  return depth === 'whole' && checksumOf(file) !== sha256 ? message('file_damaged', { file: name }) : undefined;
}
