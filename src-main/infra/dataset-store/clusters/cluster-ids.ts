import { createHash } from 'node:crypto';
import type { EntityType } from '../../../contract/schemas/explore.ts';

/**
 * [Note: Cluster ids]
 * The id of a cluster is computed from its contents: a version 8 UUID (RFC 9562, 5.8) of its dataset, entity type, level and the row of its
 * earliest item. A reindex of the same items gives the same ids, a cluster keeps its id when items join it, and an id is resolved without a
 * table. Users distinguish ids by their first characters, so the bytes that differ within a dataset come first.
 *
 *   bytes 0–3   entity type (1 bit), level (3), lowest 28 bits of the row; XOR the hash of the dataset id
 *   bytes 4–5   hash
 *   byte  6     version 8 | whether the cluster is of videos (1 bit) | highest 3 bits of the row
 *   byte  7     hash
 *   byte  8     variant, then 62 bits of the hash
 */
const ENTITIES: readonly EntityType[] = ['IMAGES', 'OBJECTS'];
const LOW_ROW = 2 ** 28;
const OF_VIDEOS = 0x08;

/** Values in the place of the level in the id of a group of duplicates and of a group of duplicate videos. */
export const [DUPLICATES_LEVEL, DUPLICATE_VIDEOS_LEVEL] = [7, 6] as const;

export interface ClusterKey {
  entity_type: EntityType;
  level: number;
  first_row: number;
  /** A cluster of videos, each of which is in the cluster of its representative frame. */
  of_videos?: boolean;
}

export class ClusterIds {
  readonly #hash: Buffer;

  constructor(datasetId: string) {
    this.#hash = createHash('sha256').update(datasetId).digest().subarray(0, 16);
  }

  encode({ entity_type, level, first_row, of_videos = false }: ClusterKey): string {
    const bytes = Buffer.from(this.#hash);
    const first = (ENTITIES.indexOf(entity_type) << 31) | (level << 28) | (first_row % LOW_ROW);
    bytes.writeUInt32BE((first ^ bytes.readUInt32BE(0)) >>> 0, 0);
    bytes[6] = 0x80 | (of_videos ? OF_VIDEOS : 0) | Math.floor(first_row / LOW_ROW);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Returns undefined for an id that is not one of this dataset's clusters. */
  decode(clusterId: string): ClusterKey | undefined {
    const bytes = Buffer.from(clusterId.replaceAll('-', ''), 'hex');
    if (bytes.length !== 16) return undefined;
    const first = (bytes.readUInt32BE(0) ^ this.#hash.readUInt32BE(0)) >>> 0;
    const entityType = ENTITIES[first >>> 31];
    if (entityType === undefined) return undefined;
    const firstRow = (first % LOW_ROW) + ((bytes[6] ?? 0) & 0x07) * LOW_ROW;
    const ofVideos = ((bytes[6] ?? 0) & OF_VIDEOS) === 0 ? {} : { of_videos: true };
    const key = { entity_type: entityType, level: (first >>> 28) & 0x07, first_row: firstRow, ...ofVideos };
    return this.encode(key) === clusterId.toLowerCase() ? key : undefined;
  }
}
