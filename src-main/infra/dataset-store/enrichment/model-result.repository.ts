import type Database from 'better-sqlite3';
import { type Message, readMessage, type StoredReason, storeMessage } from '../../../contract/messages.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { ModelFailureRow, PassName } from '../../../core/ports/enrichment.ts';
import type { PixelBox } from '../../../core/ports/image.ts';
import type { DetectedObject, FoundLabel } from '../../../core/ports/inference.ts';
import { onFirstUse } from '../../sqlite/on-first-use.ts';
import { LIVING } from '../columns/live-rows.ts';
import { fileName } from '../disk/locations.ts';

/** Returns the meta key of the row below which all rows were given to the models of a pass. */
export function appliedKey(pass: PassName, entityType: EntityType): string {
  return `${pass}_applied:${entityType}`;
}

interface FileColumns {
  location: string;
  kind: SourceRow['kind'];
  root: string;
}

export interface ImageRow extends FileColumns {
  row: number;
  media_id: string;
}

export interface ObjectRow extends FileColumns, PixelBox {
  row: number;
  media_id: string;
  image_width: number;
  image_height: number;
}

const LIVING_IMAGES = `FROM media JOIN file USING (file_id) JOIN source USING (source_id) WHERE state = 'done'`;

/** Results of models for the items of one dataset. Statements that run for every item are prepared once. */
export class ModelResultRepository {
  readonly #db: Database.Database;
  readonly #forget: () => Database.Statement<[{ media_id: string; model_id: string }]>[];
  readonly #addLabel: () => Database.Statement<Record<string, string | number | null>[]>;
  readonly #addCaption: () => Database.Statement<Record<string, string | number | null>[]>;
  readonly #addBox: () => Database.Statement<Record<string, string | number | null>[]>;
  readonly #addFailure: () => Database.Statement<[string, string, string]>;
  readonly #setObjectCaption: () => Database.Statement<[string | null, string, number]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#forget = onFirstUse(() =>
      [
        'DELETE FROM label WHERE media_id = :media_id AND source = :model_id',
        'DELETE FROM caption WHERE media_id = :media_id AND source = :model_id',
        'DELETE FROM box WHERE media_id = :media_id AND source = :model_id',
        'DELETE FROM object WHERE media_id = :media_id AND source = :model_id',
        'DELETE FROM model_failure WHERE media_id = :media_id AND model_id = :model_id',
      ].map((sql) => db.prepare(sql)),
    );
    this.#addLabel = onFirstUse(() =>
      db.prepare(
        `INSERT INTO label (media_id, label, class_id, source, batch_id, confidence)
       VALUES (:media_id, :label, :class_id, :model_id, :batch_id, :confidence)
       ON CONFLICT (media_id, label, source) DO UPDATE SET confidence = max(confidence, excluded.confidence)`,
      ),
    );
    this.#addCaption = onFirstUse(() =>
      db.prepare(
        `INSERT INTO caption (media_id, caption, source, batch_id) VALUES (:media_id, :caption, :model_id, :batch_id)
       ON CONFLICT DO NOTHING`,
      ),
    );
    this.#addBox = onFirstUse(() =>
      db.prepare(
        `INSERT INTO box (batch_id, media_id, media_row, x, y, width, height, label, class_id, source, confidence, annotation_path)
       VALUES (:batch_id, :media_id, :row, :x, :y, :width, :height, :label, :class_id, :model_id, :confidence, '')`,
      ),
    );
    this.#addFailure = onFirstUse(() =>
      db.prepare(
        `INSERT INTO model_failure VALUES (?, ?, ?) ON CONFLICT (media_id, model_id) DO UPDATE SET reason = excluded.reason`,
      ),
    );
    this.#setObjectCaption = onFirstUse(() =>
      db.prepare('UPDATE object SET caption = ?, caption_source = ? WHERE row = ?'),
    );
  }

  /** Deletes a model's results for an item. Like all writes of this class, joins the caller's transaction. */
  forget(mediaId: string, modelId: string): void {
    for (const statement of this.#forget()) statement.run({ media_id: mediaId, model_id: modelId });
  }

  addLabel(mediaId: string, modelId: string, batchId: string | null, label: FoundLabel): void {
    this.#addLabel().run({ media_id: mediaId, model_id: modelId, batch_id: batchId, ...label });
  }

  addCaption(mediaId: string, modelId: string, batchId: string | null, caption: string): void {
    this.#addCaption().run({ media_id: mediaId, model_id: modelId, batch_id: batchId, caption });
  }

  /** @returns The number of the box. */
  addBox(image: { media_id: string; row: number }, modelId: string, batchId: string, object: DetectedObject): number {
    const { box, label, class_id, confidence } = object;
    const row = { ...image, model_id: modelId, batch_id: batchId, label, class_id, confidence, ...box };
    return Number(this.#addBox().run(row).lastInsertRowid);
  }

  addFailure(mediaId: string, modelId: string, reason: Message): void {
    this.#addFailure().run(mediaId, modelId, storeMessage(reason));
  }

  forgetFailuresOf(modelId: string): void {
    this.#db.prepare<[string]>('DELETE FROM model_failure WHERE model_id = ?').run(modelId);
  }

  forgetFailures(mediaId: string): void {
    this.#db.prepare<[string]>('DELETE FROM model_failure WHERE media_id = ?').run(mediaId);
  }

  setObjectCaption(row: number, modelId: string, caption: string): void {
    this.#setObjectCaption().run(caption, modelId, row);
  }

  mediaOfObject(row: number): string | undefined {
    return this.#db.prepare<[number], string>('SELECT media_id FROM object WHERE row = ?').pluck().get(row);
  }

  listImages(fromRow: number, limit: number): ImageRow[] {
    return this.#db
      .prepare<[number, number], ImageRow>(
        `SELECT row, media_id, location, source.kind, root ${LIVING_IMAGES} AND row >= ? ORDER BY row LIMIT ?`,
      )
      .all(fromRow, limit);
  }

  /** Returns evenly spaced rows of living items or objects. */
  sampleRows(entityType: EntityType, limit: number): number[] {
    return this.#db
      .prepare<{ limit: number }, number>(
        `SELECT row FROM (SELECT row, row_number() OVER (ORDER BY row) - 1 AS place, count(*) OVER () AS n FROM (${LIVING[entityType]}))
         WHERE place % max(1, n / :limit) = 0 ORDER BY row LIMIT :limit`,
      )
      .pluck()
      .all({ limit });
  }

  sampleImages(limit: number): ImageRow[] {
    return this.#db
      .prepare<[string], ImageRow>(
        `SELECT row, media_id, location, source.kind, root ${LIVING_IMAGES} AND row IN (SELECT value FROM json_each(?)) ORDER BY row`,
      )
      .all(JSON.stringify(this.sampleRows('IMAGES', limit)));
  }

  listObjects(fromRow: number, limit: number): ObjectRow[] {
    return this.#db
      .prepare<[number, number], ObjectRow>(
        `SELECT object.row, media_id, x, y, object.width, object.height, media.width AS image_width, media.height AS image_height,
           location, source.kind, root
         FROM object JOIN media USING (media_id) JOIN file USING (file_id) JOIN source USING (source_id)
         WHERE state = 'done' AND object.row >= ? ORDER BY object.row LIMIT ?`,
      )
      .all(fromRow, limit);
  }

  /** Prepares {@link rowOfName}: reads the last parts of all current paths. */
  readNames(): void {
    this.#db.exec(
      'DROP TABLE IF EXISTS temp.item_name; CREATE TEMP TABLE item_name (name TEXT NOT NULL, row INTEGER NOT NULL)',
    );
    const add = this.#db.prepare<[string, number]>('INSERT INTO temp.item_name VALUES (?, ?)');
    const items = this.#db
      .prepare<[], { row: number; file_path: string }>(
        `SELECT row, file_path FROM media JOIN file USING (file_id) WHERE state = 'done'`,
      )
      .all();
    this.#db.transaction(() => {
      for (const { row, file_path } of items) add.run(fileName(file_path), row);
    })();
    this.#db.exec('CREATE INDEX temp.item_name_name ON item_name (name)');
  }

  /** Returns the row of the living item with a media id, a path, or a file name that only one item has. */
  rowOfName(name: string): number | undefined {
    const exact = this.#db
      .prepare<{ name: string }, number>(
        `SELECT row FROM media JOIN file USING (file_id) WHERE state = 'done' AND media_id = :name
         UNION ALL SELECT row FROM media JOIN file USING (file_id) WHERE state = 'done' AND file_path = :name LIMIT 1`,
      )
      .pluck()
      .get({ name });
    if (exact !== undefined) return exact;
    const rows = this.#db
      .prepare<[string], number>('SELECT row FROM temp.item_name WHERE name = ? LIMIT 2')
      .pluck()
      .all(fileName(name));
    return rows.length === 1 ? rows[0] : undefined;
  }

  listCaptionsToEncode(after: number, limit: number): { caption_id: number; caption: string }[] {
    return this.#db
      .prepare<[number, number], { caption_id: number; caption: string }>(
        `SELECT caption.rowid AS caption_id, caption FROM caption
         WHERE caption.rowid > ? AND NOT EXISTS (SELECT 1 FROM caption_vector WHERE caption_id = caption.rowid)
         ORDER BY caption.rowid LIMIT ?`,
      )
      .all(after, limit);
  }

  addCaptionVector(captionId: number, vector: Float32Array): void {
    this.#db
      .prepare<[number, Uint8Array]>('INSERT OR REPLACE INTO caption_vector VALUES (?, ?)')
      .run(captionId, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  }

  /** Counts vectors of captions, including those of items that no longer exist. */
  countCaptionVectors(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM caption_vector').pluck().get() ?? 0;
  }

  /** Yields the vector of every caption of living items in the rows `fromRow` … `toRow` - 1, in order of row. */
  captionVectors(fromRow: number, toRow: number): Iterable<{ row: number; vector: Uint8Array }> {
    return this.#db
      .prepare<[number, number], { row: number; vector: Uint8Array }>(
        `SELECT row, vector FROM media CROSS JOIN caption USING (media_id) JOIN caption_vector ON caption_id = caption.rowid
         JOIN file USING (file_id) WHERE row >= ? AND row < ? AND state = 'done' ORDER BY row`,
      )
      .iterate(fromRow, toRow);
  }

  countFailures(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM model_failure').pluck().get() ?? 0;
  }

  listFailures(query: { offset: number; limit: number }): ModelFailureRow[] {
    return this.#db
      .prepare<typeof query, StoredReason<ModelFailureRow>>(
        `SELECT media_id, file_path, model_id, reason FROM model_failure JOIN media USING (media_id) JOIN file USING (file_id)
         ORDER BY file_path, model_id LIMIT :limit OFFSET :offset`,
      )
      .all(query)
      .map((row) => ({ ...row, reason: readMessage(row.reason) }));
  }
}
