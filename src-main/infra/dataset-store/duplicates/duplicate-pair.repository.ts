import type Database from 'better-sqlite3';

/** Properties that decide which of several copies to keep. */
export interface CopyFacts {
  row: number;
  /** 1 if the image has a border, whose pixels count as pixels of the image. */
  has_border: 0 | 1;
  pixels: number;
  format: string;
  size_bytes: number;
  /** Number of details known: camera metadata, captions, labels. */
  n_details: number;
}

export interface DuplicatePair {
  row_a: number;
  row_b: number;
  /** Share of the image that agrees, 0 … 1. */
  share: number;
}

/** Number of rows grouped by their bytes before other work can run. */
const CHUNK_ROWS = 50_000;

/** Number of pairs read before other work can run. */
const CHUNK_PAIRS = 20_000;

/** Pairs of items that are near-duplicates, and items with equal bytes. */
export class DuplicatePairRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Adds a pair. For a pair that was compared in several ways, the highest share is stored. */
  add({ row_a, row_b, share }: DuplicatePair): void {
    this.#db
      .prepare<[number, number, number]>(
        `INSERT INTO duplicate_pair VALUES (?, ?, ?)
         ON CONFLICT (row_a, row_b) DO UPDATE SET share = max(share, excluded.share)`,
      )
      .run(row_a, row_b, share);
  }

  /** Reads all pairs as columns: 12 bytes per pair. Yields after every chunk of the work. */
  *readColumns(): Generator<void, { a: Int32Array; b: Int32Array; shares: Float32Array }> {
    const count = this.#db.prepare<[], number>('SELECT count(*) FROM duplicate_pair').pluck().get() ?? 0;
    const [a, b, shares] = [new Int32Array(count), new Int32Array(count), new Float32Array(count)];
    const list = this.#db
      .prepare<[number, number, number], [number, number, number]>(
        `SELECT row_a, row_b, share FROM duplicate_pair WHERE (row_a, row_b) > (?, ?) ORDER BY row_a, row_b LIMIT ?`,
      )
      .raw();
    for (let at = 0; at < count; ) {
      const from = at;
      for (const [rowA, rowB, share] of list.iterate(a[at - 1] ?? -1, b[at - 1] ?? -1, CHUNK_PAIRS)) {
        a[at] = rowA;
        b[at] = rowB;
        shares[at] = share;
        at += 1;
      }
      yield;
      // Pairs were deleted meanwhile. The caller that needs them next reads them again.
      if (at === from) break;
    }
    return { a, b, shares };
  }

  /** Deletes pairs with rows from `row` on, because these row numbers may be assigned to other items. */
  deleteFrom(row: number): void {
    this.#db.prepare<[number]>('DELETE FROM duplicate_pair WHERE row_b >= ?').run(row);
  }

  /** Returns the highest row of an item; -1 if there are no items. */
  lastRow(): number {
    return this.#db.prepare<[], number>('SELECT ifnull(max(row), -1) FROM media').pluck().get() ?? -1;
  }

  /** Lists groups of two or more rows with equal bytes, the earliest first. Yields after every chunk of the work. */
  *listEqual(): Generator<void, Int32Array[]> {
    const findEnd = this.#db
      .prepare<[string, number], string>(
        'SELECT content_hash FROM media WHERE content_hash > ? ORDER BY content_hash LIMIT 1 OFFSET ?',
      )
      .pluck();
    const list = this.#db
      .prepare<[string, string], [string, number]>(
        `SELECT content_hash, row FROM media WHERE content_hash IN (
           SELECT content_hash FROM media WHERE content_hash > ? AND content_hash <= ?
           GROUP BY content_hash HAVING count(*) > 1)
         ORDER BY content_hash, row`,
      )
      .raw();
    const last = this.#db.prepare<[], string | null>('SELECT max(content_hash) FROM media').pluck().get() ?? '';
    const byContent = new Map<string, number[]>();
    for (let done = ''; done !== last; ) {
      const end = findEnd.get(done, CHUNK_ROWS) ?? last;
      for (const [hash, row] of list.iterate(done, end)) {
        const known = byContent.get(hash);
        if (known) known.push(row);
        else byContent.set(hash, [row]);
      }
      done = end;
      yield;
    }
    return Array.from(byContent.values(), (equal) => Int32Array.from(equal));
  }

  /** Returns, for each row below `count`, the first row with the same bytes; -1 if the row has no item. */
  originals(count: number): Int32Array {
    const originals = new Int32Array(count).fill(-1);
    const rows = this.#db
      .prepare<[number], [string, number]>(
        'SELECT content_hash, row FROM media WHERE row < ? ORDER BY content_hash, row',
      )
      .raw()
      .iterate(count);
    let [hashBefore, first] = ['', -1];
    for (const [hash, row] of rows) {
      if (hash !== hashBefore) [hashBefore, first] = [hash, row];
      originals[row] = first;
    }
    return originals;
  }

  /** Returns, for each row below `count`, the number of the video that it is a frame of; -1 for images. */
  videos(count: number): Int32Array {
    const videos = new Int32Array(count).fill(-1);
    const numbers = new Map<string, number>();
    const rows = this.#db
      .prepare<[number], [number, string]>(
        `SELECT row, video_id FROM media JOIN file USING (file_id) WHERE video_id IS NOT NULL AND row < ?`,
      )
      .raw()
      .iterate(count);
    for (const [row, videoId] of rows) {
      const known = numbers.get(videoId) ?? numbers.size;
      numbers.set(videoId, known);
      videos[row] = known;
    }
    return videos;
  }

  /** Returns the positions of the thumbnails of rows, as columns; 0 bytes for a row without an item. */
  thumbnails(fromRow: number, count: number): { packs: Int32Array; offsets: Float64Array; bytes: Int32Array } {
    const n = Math.max(0, count - fromRow);
    const [packs, offsets, bytes] = [new Int32Array(n), new Float64Array(n), new Int32Array(n)];
    const rows = this.#db
      .prepare<[number, number], [number, number, number, number]>(
        'SELECT row, thumbnail_pack, thumbnail_offset, thumbnail_bytes FROM media WHERE row >= ? AND row < ?',
      )
      .raw()
      .iterate(fromRow, count);
    for (const [row, pack, offset, length] of rows) {
      packs[row - fromRow] = pack;
      offsets[row - fromRow] = offset;
      bytes[row - fromRow] = length;
    }
    return { packs, offsets, bytes };
  }

  /** Returns the properties of some items as copies. */
  copyFactsOf(rows: readonly number[]): CopyFacts[] {
    return this.#db
      .prepare<[string], CopyFacts>(
        `SELECT row, EXISTS (SELECT 1 FROM trimmed_vector WHERE trimmed_vector.row = media.row) AS has_border, width * height AS pixels, format, size_bytes, (exif IS NOT NULL)
           + (SELECT count(*) FROM caption WHERE caption.media_id = media.media_id)
           + (SELECT count(*) FROM label WHERE label.media_id = media.media_id) AS n_details
         FROM media JOIN file USING (file_id) WHERE row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
  }

  /** Returns the positions of the thumbnails of some rows. */
  thumbnailsOf(rows: readonly number[]): { row: number; pack: number; offset: number; bytes: number }[] {
    return this.#db
      .prepare<[string], { row: number; pack: number; offset: number; bytes: number }>(
        `SELECT row, thumbnail_pack AS pack, thumbnail_offset AS offset, thumbnail_bytes AS bytes FROM media
         WHERE row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
  }
}
