import type Database from 'better-sqlite3';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { ImageQuality } from '../../../core/ports/image-quality.ts';
import type { ItemRow } from '../../../core/ports/items.ts';
import type { DescribedImage } from '../../../core/ports/local-jobs.ts';
import { onFirstUse } from '../../sqlite/on-first-use.ts';
import type { ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import { QUALITY_COLUMNS } from './quality-columns.ts';

export interface MediaRow extends ItemRow, ThumbnailSlot, ImageQuality {
  file_id: number;
  format: string;
  pages: number;
  content_hash: string;
  exif: string | null;
  /** Null except for frames. */
  video_codec: string | null;
  created_at: string;
  location: string;
  size_bytes: number;
  mtime_ms: number;
  kind: SourceRow['kind'];
  root: string;
}

export type RowToExport = ItemRow &
  Pick<MediaRow, 'size_bytes' | 'content_hash' | 'created_at' | 'kind' | 'root' | 'location'>;

/** The item of a file, and the batch of the file. */
interface ItemOfFile {
  media_id: string;
  content_hash: string;
  batch_id: string;
}

/** Location of an item's thumbnail, and the content it was made from. */
type ThumbnailOfItem = ThumbnailSlot & Pick<MediaRow, 'content_hash' | 'file_path'>;

const ITEM = 'row, media_id, media_type, file_path, width, height, video_id, frame_number, frame_timestamp';

/** Columns computed from the content of an image. */
const CONTENT_COLUMNS = [
  'width',
  'height',
  'format',
  'pages',
  'content_hash',
  'thumbnail_pack',
  'thumbnail_offset',
  'thumbnail_bytes',
  'thumbnail_crc32',
  ...QUALITY_COLUMNS,
  'exif',
] as const;

/** Items of one dataset that were read and described. */
export class MediaRepository {
  readonly #db: Database.Database;
  /** Statements that run once per item, page or displayed tile are prepared once. */
  readonly #listByRows: () => Database.Statement<[string], ItemRow>;
  readonly #insert: () => Database.Statement<Record<string, string | number | null>[]>;
  readonly #findOfFile: () => Database.Statement<[number], ItemOfFile>;
  readonly #findThumbnail: () => Database.Statement<[string], ThumbnailOfItem>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#listByRows = onFirstUse(() =>
      db.prepare(`SELECT ${ITEM} FROM media JOIN file USING (file_id) WHERE row IN (SELECT value FROM json_each(?))`),
    );
    this.#findOfFile = onFirstUse(() =>
      db.prepare('SELECT media_id, content_hash, batch_id FROM media JOIN file USING (file_id) WHERE file_id = ?'),
    );
    this.#findThumbnail = onFirstUse(() =>
      db.prepare(
        `SELECT thumbnail_pack, thumbnail_offset, thumbnail_bytes, thumbnail_crc32, content_hash, file_path
       FROM media JOIN file USING (file_id) WHERE media_id = ?`,
      ),
    );
    this.#insert = onFirstUse(() =>
      db.prepare(
        `INSERT INTO media (row, media_id, file_id, media_type, created_at, ${CONTENT_COLUMNS.join(', ')})
         SELECT :row, :media_id, :file_id, iif(video_id IS NULL, 'image', 'video_frame'), :created_at,
           ${CONTENT_COLUMNS.map((name) => `:${name}`).join(', ')} FROM file WHERE file_id = :file_id`,
      ),
    );
  }

  insert(row: number, mediaId: string, image: DescribedImage, slot: ThumbnailSlot, createdAt: string): void {
    this.#insert().run({
      row,
      media_id: mediaId,
      file_id: image.key,
      ...contentColumns(image, slot),
      created_at: createdAt,
    });
  }

  /** Returns the item of a file. */
  findOfFile(fileId: number): ItemOfFile | undefined {
    return this.#findOfFile().get(fileId);
  }

  /** Replaces the content of an item. The item keeps its id and gets a new row; no item has its previous row. */
  replace(mediaId: string, row: number, image: DescribedImage, slot: ThumbnailSlot): void {
    this.#db
      .prepare<Record<string, string | number | null>>(
        `UPDATE media SET row = :row, ${CONTENT_COLUMNS.map((name) => `${name} = :${name}`).join(', ')} WHERE media_id = :media_id`,
      )
      .run({
        media_id: mediaId,
        row,
        ...contentColumns(image, slot),
      });
  }

  /** Returns the row after the highest one. */
  count(): number {
    return this.#db.prepare<[], { n: number }>('SELECT ifnull(max(row) + 1, 0) AS n FROM media').get()?.n ?? 0;
  }

  countByType(batchId?: string): { n_images: number; n_frames: number } {
    const rows = this.#db
      .prepare<{ batch_id: string | null }, { media_type: string; n: number }>(
        `SELECT media_type, count(*) AS n FROM media JOIN file USING (file_id)
         WHERE state = 'done' AND (:batch_id IS NULL OR batch_id = :batch_id) GROUP BY media_type`,
      )
      .all({ batch_id: batchId ?? null });
    const of = (type: string) => rows.find((row) => row.media_type === type)?.n ?? 0;
    return { n_images: of('image'), n_frames: of('video_frame') };
  }

  /** Returns the row of the frame that represents each video: the frame nearest to the time of its poster. */
  posterRows(): number[] {
    return this.#db
      .prepare<[], number>(
        `SELECT row FROM (
           SELECT row, row_number() OVER (
             PARTITION BY video.video_id ORDER BY abs(frame_timestamp - poster_timestamp), row
           ) AS nth
           FROM video JOIN file ON file.video_id = video.video_id JOIN media ON media.file_id = file.file_id
           WHERE file.state = 'done'
         ) WHERE nth = 1 ORDER BY row`,
      )
      .pluck()
      .all();
  }

  /** Deletes the items of a batch from `firstRow` on. Joins the caller's transaction. */
  deleteFrom(firstRow: number, batchId: string): void {
    this.#db
      .prepare<{ first_row: number; batch_id: string }>(
        'DELETE FROM media WHERE row >= :first_row AND file_id IN (SELECT file_id FROM file WHERE batch_id = :batch_id)',
      )
      .run({ first_row: firstRow, batch_id: batchId });
  }

  /** Returns the position of the next thumbnail. */
  thumbnailEnd(): { pack: number; end: number } {
    const last = this.#db
      .prepare<[], { pack: number; end: number }>(
        'SELECT thumbnail_pack AS pack, thumbnail_offset + thumbnail_bytes AS end FROM media ORDER BY row DESC LIMIT 1',
      )
      .get();
    return last ?? { pack: 0, end: 0 };
  }

  /** Returns the items of rows, in the order of the rows; unknown rows are left out. */
  listByRows(rows: readonly number[]): ItemRow[] {
    const found = this.#listByRows().all(JSON.stringify(rows));
    const byRow = new Map(found.map((item) => [item.row, item]));
    return rows.flatMap((row) => byRow.get(row) ?? []);
  }

  /** Returns the exported data of items and their files, in order of row. */
  listToExport(rows: readonly number[]): RowToExport[] {
    return this.#db
      .prepare<[string], RowToExport>(
        `SELECT ${ITEM}, size_bytes, content_hash, media.created_at, source.kind AS kind, root, location
         FROM media JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE row IN (SELECT value FROM json_each(?)) ORDER BY row`,
      )
      .all(JSON.stringify(rows));
  }

  /** Returns the row after the last one. */
  endRow(): number {
    return this.#db.prepare<[], number>('SELECT coalesce(max(row) + 1, 0) FROM media').pluck().get() ?? 0;
  }

  /** Returns the rows of all items with the same content, living or dead. */
  rowsOfContent(contentHash: string): number[] {
    return this.#db.prepare<[string], number>('SELECT row FROM media WHERE content_hash = ?').pluck().all(contentHash);
  }

  findThumbnail(mediaId: string): ThumbnailOfItem | undefined {
    return this.#findThumbnail().get(mediaId);
  }

  find(mediaId: string): MediaRow | undefined {
    return this.#db
      .prepare<[string], MediaRow>(
        `SELECT *, (SELECT codec FROM video WHERE video.video_id = file.video_id) AS video_codec
         FROM media JOIN file USING (file_id) JOIN source USING (source_id) WHERE media_id = ?`,
      )
      .get(mediaId);
  }
}

function contentColumns(
  image: DescribedImage,
  slot: ThumbnailSlot,
): Record<(typeof CONTENT_COLUMNS)[number], string | number | null> {
  return {
    width: image.width,
    height: image.height,
    format: image.format,
    pages: image.pages,
    content_hash: image.content_hash,
    ...slot,
    ...image.quality,
    exif: image.exif && JSON.stringify(image.exif),
  };
}
