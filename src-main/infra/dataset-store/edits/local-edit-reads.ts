import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { CountedTag, EditReads, EditRow } from '../../../core/ports/edits.ts';
import type { Answered } from '../../threads/answered.ts';
import type { RowFacts } from '../explore/row-facts.ts';
import type { RowMatcher } from '../explore/row-matcher.ts';
import type { EditRepository } from './edit.repository.ts';
import type { EditedRows } from './edited-rows.ts';
import type { TagRepository } from './tag.repository.ts';

interface Parts {
  log: EditRepository;
  tags: TagRepository;
  edits: EditedRows;
  matcher: RowMatcher;
  rowFacts: RowFacts;
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
}
