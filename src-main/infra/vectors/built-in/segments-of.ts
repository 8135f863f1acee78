import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SpaceAddress } from '../../../core/ports/vector-engine.ts';
import { vectorsFolder } from './built-in-engine.ts';
import { ROWS_PER_SEGMENT, segmentName } from './segment-files.ts';
import { CHECKSUM_BYTES, SEGMENT_EXTENSIONS } from './vector-segments.ts';

/** A file of vectors, for copies and snapshots of a generation. */
export interface SegmentFile {
  /** Path relative to the generation's folder. */
  path: string;
  /** Number of bytes that the rows need; a file that grows may be longer. */
  bytes: number;
  /** Whether rows are still appended to the file: copies must copy it instead of linking it. */
  is_growing: boolean;
}

/**
 * Returns the files that contain the vectors of rows 0 … rows - 1 of a space.
 * @param folder The generation's folder.
 */
export function segmentsOf(folder: string, { space, entity_type, dim }: SpaceAddress, rows: number): SegmentFile[] {
  const below = vectorsFolder('', space, entity_type);
  const manifest = join(below, 'manifest.json');
  const files: SegmentFile[] = [];
  if (existsSync(join(folder, manifest))) files.push({ path: manifest, bytes: 0, is_growing: false });
  for (let first = 0; first < rows; first += ROWS_PER_SEGMENT) {
    const n = Math.min(rows - first, ROWS_PER_SEGMENT);
    const segment = first / ROWS_PER_SEGMENT;
    const isGrowing = n < ROWS_PER_SEGMENT;
    const [vectors, checksums] = [SEGMENT_EXTENSIONS.vectors, SEGMENT_EXTENSIONS.checksums].map((extension) =>
      join(below, segmentName(segment, extension)),
    ) as [string, string];
    files.push({ path: vectors, bytes: n * dim * 4, is_growing: isGrowing });
    files.push({ path: checksums, bytes: n * CHECKSUM_BYTES, is_growing: isGrowing });
  }
  return files;
}
