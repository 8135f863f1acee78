import { createHash } from 'node:crypto';
import type { EntityType } from '../../../contract/schemas/explore.ts';

/**
 * [Note: Cluster ids]
 * A cluster is named by what it holds, not by a row: a version 8 UUID (RFC 9562, 5.8) of its dataset, entity type, level and the
 * earliest item in it. The same data gives the same ids on every run, a cluster keeps its id when items join it, and an id is
 * resolved without a table.
 *
 *   bytes 0–5   hash of the dataset id
 *   byte  6     version 8 | level (0–4)
 *   byte  7     entity type
 *   byte  8     variant, then three bytes of the hash
 *   bytes 12–15 row of the earliest item, big endian
 */
const ENTITIES: readonly EntityType[] = ['IMAGES', 'OBJECTS'];

export interface ClusterKey {
  entity_type: EntityType;
  level: number;
  first_row: number;
}

export class ClusterIds {
  readonly #hash: Buffer;

  constructor(datasetId: string) {
    this.#hash = createHash('sha256').update(datasetId).digest();
  }

  encode(key: ClusterKey): string {
    const bytes = Buffer.alloc(16);
    this.#hash.copy(bytes, 0, 0, 6);
    bytes[6] = 0x80 | key.level;
    bytes[7] = ENTITIES.indexOf(key.entity_type);
    this.#hash.copy(bytes, 8, 6, 10);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    bytes.writeUInt32BE(key.first_row, 12);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Undefined for an id that is not one of this dataset's clusters. */
  decode(clusterId: string): ClusterKey | undefined {
    const bytes = Buffer.from(clusterId.replaceAll('-', ''), 'hex');
    if (bytes.length !== 16) return undefined;
    const entityType = ENTITIES[bytes[7] ?? -1];
    if (entityType === undefined) return undefined;
    const key = { entity_type: entityType, level: (bytes[6] ?? 0) & 0x0f, first_row: bytes.readUInt32BE(12) };
    return this.encode(key) === clusterId.toLowerCase() ? key : undefined;
  }
}
