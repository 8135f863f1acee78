import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { CountedTag, EditableCluster, EditReads, EditRow } from '../../../core/ports/edits.ts';
import type { Answered } from '../../threads/answered.ts';
import { type ClusterEdits, sampleMembers } from '../clusters/cluster-edits.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import type { RowFacts } from '../explore/row-facts.ts';
import type { RowMatcher } from '../explore/row-matcher.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { EditRepository } from './edit.repository.ts';
import type { EditedRows } from './edited-rows.ts';
import type { TagRepository } from './tag.repository.ts';

interface Parts {
  log: EditRepository;
  tags: TagRepository;
  edits: EditedRows;
  matcher: RowMatcher;
  rowFacts: RowFacts;
  index: IndexReader;
  clusterIds: ClusterIds;
  clusterEdits: ClusterEdits;
}

export class LocalEditReads implements Answered<EditReads> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(mediaId?: string): EditRow[] | undefined {
    return mediaId === undefined ? this.#parts.log.list() : this.#parts.log.listOf(mediaId);
  }

  listTags(): CountedTag[] {
    const { tags, edits, matcher, rowFacts } = this.#parts;
    const count = (entityType: EntityType, tagId: string): number => {
      const shown = matcher.match(entityType, []);
      return edits.tagged(entityType, tagId, rowFacts.of(entityType).count).countIn(shown);
    };
    return tags.list().map((tag) => ({
      ...tag,
      n_images: count('IMAGES', tag.tag_id),
      n_objects: count('OBJECTS', tag.tag_id),
    }));
  }

  findCluster(clusterId: string): EditableCluster | undefined {
    const { index, clusterIds, clusterEdits } = this.#parts;
    const key = clusterIds.decode(clusterId);
    const clusters = key && index.clusters(key.entity_type, key.level);
    const cluster = clusters?.clusterOf(key?.first_row ?? -1) ?? -1;
    if (!key || !clusters || cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;
    const { entity_type, level } = key;
    const named = clusterEdits.named(entity_type, level, clusters).get(cluster);
    return {
      entity_type,
      level,
      members: sampleMembers(clusters.rows(cluster)),
      name: named?.name ?? null,
      edits: {
        name: named ? [named.id] : [],
        hidden: clusterEdits.hidden(entity_type, level, clusters).get(cluster) ?? [],
        merged: clusterEdits.mergesOf(entity_type, level, clusters, cluster),
      },
    };
  }
}
