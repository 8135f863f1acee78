import type Database from 'better-sqlite3';
import type { DescribedImage } from '../../core/compute.port.ts';
import type { ItemRow, SourceRow } from '../../core/dataset-store.port.ts';
import type { ThumbnailSlot } from './thumbnail-packs.ts';

export interface MediaRow extends ItemRow, ThumbnailSlot {
  file_id: number;
  format: string;
  pages: number;
  content_hash: string;
  quality: string;
  created_at: string;
  location: string;
  size_bytes: number;
  mtime_ms: number;
  kind: SourceRow['kind'];
  root: string;
}

const ITEM = 'row, media_id, media_type, file_path, width, height';

/** Items of one dataset: what was read and described. */
export class MediaRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  insert(row: number, media_id: string, image: DescribedImage, slot: ThumbnailSlot, created_at: string): void {
    this.#db
      .prepare<Record<string, string | number>>(
        `INSERT INTO media VALUES (:row, :media_id, :file_id, 'image', :width, :height, :format, :pages, :content_hash,
           :thumbnail_pack, :thumbnail_offset, :thumbnail_bytes, :quality, :created_at)`,
      )
      .run({
        row,
        media_id,
        file_id: image.key,
        width: image.width,
        height: image.height,
        format: image.format,
        pages: image.pages,
        content_hash: image.content_hash,
        ...slot,
        quality: JSON.stringify(image.quality),
        created_at,
      });
  }

  /** One past the highest row. */
  count(): number {
    return this.#db.prepare<[], { n: number }>('SELECT ifnull(max(row) + 1, 0) AS n FROM media').get()?.n ?? 0;
  }

  countFrames(): number {
    return (
      this.#db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM media WHERE media_type = 'video_frame'`).get()
        ?.n ?? 0
    );
  }

  /** Where the next thumbnail goes. */
  thumbnailEnd(): { pack: number; end: number } {
    const last = this.#db
      .prepare<[], { pack: number; end: number }>(
        'SELECT thumbnail_pack AS pack, thumbnail_offset + thumbnail_bytes AS end FROM media ORDER BY row DESC LIMIT 1',
      )
      .get();
    return last ?? { pack: 0, end: 0 };
  }

  /** Items of the given rows, in the given order; unknown rows are left out. */
  listByRows(rows: readonly number[]): ItemRow[] {
    const found = this.#db
      .prepare<[string], ItemRow>(
        `SELECT ${ITEM} FROM media JOIN file USING (file_id) WHERE row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
    const by_row = new Map(found.map((item) => [item.row, item]));
    return rows.flatMap((row) => by_row.get(row) ?? []);
  }

  find(media_id: string): MediaRow | undefined {
    return this.#db
      .prepare<[string], MediaRow>(
        'SELECT * FROM media JOIN file USING (file_id) JOIN source USING (source_id) WHERE media_id = ?',
      )
      .get(media_id);
  }
}
