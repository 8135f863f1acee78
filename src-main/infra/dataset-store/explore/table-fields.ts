import type Database from 'better-sqlite3';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { ItemRow, TableFields } from '../../../core/ports/items.ts';
import type { ClusterEdits } from '../clusters/cluster-edits.ts';
import type { CustomMetadataRepository } from '../metadata/custom-metadata.repository.ts';
import type { Facts } from './row-facts.ts';

type StoredFields = Pick<TableFields, 'format' | 'size_bytes' | 'mtime_ms' | 'created_at' | 'sharpness'>;

interface Parts {
  db: Database.Database;
  metadata: CustomMetadataRepository;
  clusterEdits: ClusterEdits;
}

/** Reads the fields of items that only tables show. */
export class TableFieldsReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the fields of the items or objects, by row. */
  read(
    facts: Facts,
    items: ReadonlyMap<number, ItemRow>,
    { level, limits }: { level: number; limits: IssueLimits },
  ): Map<number, TableFields> {
    const { metadata, clusterEdits } = this.#parts;
    const mediaIds = [...new Set(Array.from(items.values(), ({ media_id }) => media_id))];
    const stored = this.#stored(mediaIds);
    const values = metadata.listOf(mediaIds);
    const issuesOf = facts.issues.ofRows(limits, facts);
    const clusters = facts.index.clusters(facts.entity_type, level);
    const named = clusters && clusterEdits.named(facts.entity_type, level, clusters);
    const clusterOf = (row: number): TableFields['cluster'] => {
      const cluster = clusters?.clusterOf(row) ?? -1;
      if (!clusters || cluster < 0) return null;
      const key = { entity_type: facts.entity_type, level, first_row: clusters.firstRow(cluster) };
      return {
        cluster_id: facts.clusterIds.encode(key),
        name: named?.get(cluster)?.name ?? null,
        n_items: clusters.size(cluster),
      };
    };
    const found = new Map<number, TableFields>();
    for (const [row, { media_id }] of items) {
      const fields = stored.get(media_id);
      if (!fields) continue;
      found.set(row, {
        ...fields,
        uniqueness_score: facts.uniqueness[row] ?? null,
        issues: issuesOf(row),
        custom_metadata: values.get(media_id) ?? [],
        cluster: clusterOf(row),
      });
    }
    return found;
  }

  #stored(mediaIds: readonly string[]): Map<string, StoredFields> {
    const found = this.#parts.db
      .prepare<[string], StoredFields & { media_id: string }>(
        `SELECT media_id, format, size_bytes, mtime_ms, media.created_at, sharpness FROM media JOIN file USING (file_id)
         WHERE media_id IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(mediaIds));
    return new Map(found.map(({ media_id, ...fields }) => [media_id, fields]));
  }
}
