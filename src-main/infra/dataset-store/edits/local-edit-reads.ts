import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { CountedTag, EditReads, EditRow, NameableCluster } from '../../../core/ports/edits.ts';
import type { Answered } from '../../threads/answered.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import { type ClusterNames, sampleMembers } from '../clusters/cluster-names.ts';
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
  clusterNames: ClusterNames;
}

export class LocalEditReads implements Answered<EditReads> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(): EditRow[] {
    return this.#parts.log.list();
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

  findNameable(clusterId: string): NameableCluster | undefined {
    const { index, clusterIds, clusterNames } = this.#parts;
    const key = clusterIds.decode(clusterId);
    const clusters = key && index.clusters(key.entity_type, key.level);
    const cluster = clusters?.clusterOf(key?.first_row ?? -1) ?? -1;
    if (!key || !clusters || cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;
    const { entity_type, level } = key;
    const nameId = clusterNames.of(entity_type, level, clusters).get(cluster)?.name_id;
    return { entity_type, level, members: sampleMembers(clusters.rows(cluster)), name_id: nameId };
  }
}
