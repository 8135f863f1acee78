import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { RowRange } from '../../../core/ports/damage.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { entityTable } from '../disk/entity-tables.ts';
import type { ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import type { ImageRow, ObjectRow } from '../enrichment/model-result.repository.ts';

export type LostPart = EmbeddingSpace | 'thumbnail';

/** Damaged parts of rows that wait to be recomputed. */
export class LostPartRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Adds a part of the existing rows in a range. */
  add(entityType: EntityType, part: LostPart, range: RowRange): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT OR IGNORE INTO lost_part SELECT :entity_type, row, :part FROM ${entityTable(entityType)}
         WHERE row >= :from AND row < :to`,
      )
      .run({ entity_type: entityType, part, ...range });
  }

  partsOf(entityType: EntityType, row: number): LostPart[] {
    return this.#db
      .prepare<[string, number], LostPart>('SELECT part FROM lost_part WHERE entity_type = ? AND row = ?')
      .pluck()
      .all(entityType, row);
  }

  /** Returns the rows that have lost a part. */
  rowsOf(entityType: EntityType, part: LostPart): number[] {
    return this.#db
      .prepare<[string, string], number>('SELECT row FROM lost_part WHERE entity_type = ? AND part = ?')
      .pluck()
      .all(entityType, part);
  }

  delete(entityType: EntityType, row: number, part: LostPart): void {
    this.#db
      .prepare<[string, number, string]>('DELETE FROM lost_part WHERE entity_type = ? AND row = ? AND part = ?')
      .run(entityType, row, part);
  }

  /** Counts the existing rows that have lost a part. */
  count(): number {
    const of = (entityType: EntityType) =>
      `SELECT DISTINCT entity_type, row FROM lost_part JOIN ${entityTable(entityType)} USING (row) WHERE entity_type = '${entityType}'`;
    return (
      this.#db
        .prepare<[], number>(`SELECT count(*) FROM (${of('IMAGES')} UNION ALL ${of('OBJECTS')})`)
        .pluck()
        .get() ?? 0
    );
  }

  /** Lists living items after a row that have lost a part. */
  listImages(afterRow: number, limit: number): ImageRow[] {
    return this.#db
      .prepare<[number, number], ImageRow>(
        `SELECT DISTINCT media.row, media_id, location, source.kind, root
         FROM lost_part JOIN media USING (row) JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE entity_type = 'IMAGES' AND state = 'done' AND lost_part.row > ? ORDER BY lost_part.row LIMIT ?`,
      )
      .all(afterRow, limit);
  }

  /** Lists living objects after a row that have lost a part. */
  listObjects(afterRow: number, limit: number): ObjectRow[] {
    return this.#db
      .prepare<[number, number], ObjectRow>(
        `SELECT DISTINCT object.row, media_id, x, y, object.width, object.height, media.width AS image_width,
           media.height AS image_height, location, source.kind, root
         FROM lost_part JOIN object USING (row) JOIN media USING (media_id) JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE entity_type = 'OBJECTS' AND state = 'done' AND lost_part.row > ? ORDER BY lost_part.row LIMIT ?`,
      )
      .all(afterRow, limit);
  }

  /** Returns the content that an item's row was made from. */
  contentOf(row: number): { content_hash: string; file_id: number; media_id: string } | undefined {
    return this.#db
      .prepare<[number], { content_hash: string; file_id: number; media_id: string }>(
        'SELECT content_hash, file_id, media_id FROM media WHERE row = ?',
      )
      .get(row);
  }

  /** Marks the item's file as changed, so that it is read again. */
  readAgain(fileId: number): void {
    this.#db.prepare<[number]>(`UPDATE file SET state = 'pending' WHERE file_id = ? AND state = 'done'`).run(fileId);
  }

  moveThumbnail(entityType: EntityType, row: number, slot: ThumbnailSlot): void {
    this.#db
      .prepare<Record<string, number | null>>(
        `UPDATE ${entityTable(entityType)} SET thumbnail_pack = :thumbnail_pack, thumbnail_offset = :thumbnail_offset,
           thumbnail_bytes = :thumbnail_bytes, thumbnail_crc32 = :thumbnail_crc32 WHERE row = :row`,
      )
      .run({ row, ...slot });
  }
}
