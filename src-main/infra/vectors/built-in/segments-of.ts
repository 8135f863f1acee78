import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { GenerationFile } from '../../../core/ports/state-file.ts';
import type { SpaceAddress } from '../../../core/ports/vector-engine.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { codeBytes } from '../vector-codes.ts';
import { ROWS_PER_SEGMENT, segmentName } from './segment-files.ts';
import { CHECKSUM_BYTES, SEGMENT_EXTENSIONS } from './vector-segments.ts';

/** The folder of the segments of a space, within a generation's folder. */
export function vectorsFolder(generationFolder: string, space: EmbeddingSpace, entityType: EntityType): string {
  return join(generationFolder, 'vectors', space, entityType);
}

/**
 * Returns the files that contain the vectors of rows 0 … rows - 1 of a space.
 * @param folder The generation's folder.
 */
export function segmentsOf(folder: string, { space, entity_type, dim }: SpaceAddress, rows: number): GenerationFile[] {
  const below = vectorsFolder('', space, entity_type);
  const manifest = join(below, 'manifest.json');
  const files: GenerationFile[] = [];
  if (existsSync(join(folder, manifest))) files.push({ path: manifest, bytes: 0, is_growing: false });
  for (let first = 0; first < rows; first += ROWS_PER_SEGMENT) {
    const n = Math.min(rows - first, ROWS_PER_SEGMENT);
    const segment = first / ROWS_PER_SEGMENT;
    const isGrowing = n < ROWS_PER_SEGMENT;
    const fileOf = (kind: keyof typeof SEGMENT_EXTENSIONS, rowBytes: number): GenerationFile => ({
      path: join(below, segmentName(segment, SEGMENT_EXTENSIONS[kind])),
      bytes: n * rowBytes,
      is_growing: isGrowing,
    });
    files.push(fileOf('vectors', dim * 4), fileOf('checksums', CHECKSUM_BYTES));
    const codes = fileOf('codes', codeBytes(dim));
    const { size } = statSync(join(folder, codes.path), { throwIfNoEntry: false }) ?? { size: 0 };
    if (size >= codes.bytes) files.push(codes);
  }
  return files;
}
