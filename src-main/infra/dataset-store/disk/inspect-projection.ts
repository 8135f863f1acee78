import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Message, message } from '../../../contract/messages.ts';
import type { InspectionDepth } from '../../../core/ports/damage.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import { pacedChecksumOf } from '../../files/file-checksum.ts';
import { bytesOfProjection } from '../../projection/projection-file.ts';

/** Returns the problem with the file of a published projection; undefined if there is none or no projection. */
export async function inspectProjection(
  { file, count, sha256 }: { file: string; count: number; sha256: string },
  depth: InspectionDepth,
  pace: Pace,
): Promise<Message | undefined> {
  const name = basename(file);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) return message('file_missing', { file: name });
  if (bytes !== bytesOfProjection(count)) return message('file_cut', { file: name });
  if (depth === 'quick') return undefined;
  return (await pacedChecksumOf(file, pace)) === sha256 ? undefined : message('file_damaged', { file: name });
}
