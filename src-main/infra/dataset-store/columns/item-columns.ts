import type Database from 'better-sqlite3';
import { TextColumn } from '../texts/text-column.ts';
import type { StoredColumn, WrittenColumn } from './column-file.ts';

/** The facts of one item in the columns. Arrays are read faster than objects. */
type ItemFacts = [
  row: number,
  width: number,
  height: number,
  createdAt: string,
  modifiedMs: number,
  takenAt: string | null,
  filePath: string,
  videoId: string | null,
];

/** Facts of all items as typed arrays, by row. Rows of replaced content have their previous values, or zeros. */
export class ItemColumns {
  readonly #db: Database.Database;
  readonly #folderNumbers = new Map<string, number>();
  readonly #folders: string[] = [];
  readonly #videoNumbers = new Map<string, number>();
  #count = 0;
  widths: Int32Array = new Int32Array();
  heights: Int32Array = new Int32Array();
  /** Times in milliseconds since 1970. */
  created: Float64Array = new Float64Array();
  /** Times by the camera's clock, otherwise of the file's last modification, in milliseconds since 1970. */
  taken: Float64Array = new Float64Array();
  /** Indexes into {@link folders}. */
  folderOf: Int32Array = new Int32Array();
  /** Number of the video that a frame belongs to; -1 for images. */
  videoOf: Int32Array = new Int32Array();
  /** File names, without their folders. */
  names = new TextColumn();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Restores the first `count` items from the arrays written by {@link kept}. */
  static restored(db: Database.Database, stored: StoredColumn, count: number): ItemColumns {
    const items = new ItemColumns(db);
    items.#count = count;
    for (const folder of stored.names('folders')) {
      numberOf(items.#folderNumbers, folder.toLowerCase());
      items.#folders.push(folder);
    }
    for (const video of stored.names('videos')) numberOf(items.#videoNumbers, video);
    items.widths = stored.integers('widths');
    items.heights = stored.integers('heights');
    items.created = stored.numbers('created');
    items.taken = stored.numbers('taken');
    items.folderOf = stored.integers('folderOf');
    items.videoOf = stored.integers('videoOf');
    items.names = TextColumn.restored(stored.bytes('names'), stored.integers('namesEnd'));
    return items;
  }

  kept(): WrittenColumn {
    const { bytes, ends } = this.names.kept();
    const upTo = <T extends Int32Array | Float64Array>(column: T) => column.subarray(0, this.#count);
    return {
      names: { folders: this.#folders, videos: [...this.#videoNumbers.keys()] },
      arrays: {
        widths: upTo(this.widths),
        heights: upTo(this.heights),
        created: upTo(this.created),
        taken: upTo(this.taken),
        folderOf: upTo(this.folderOf),
        videoOf: upTo(this.videoOf),
        names: bytes,
        namesEnd: ends,
      },
    };
  }

  /** Paths of folders; the folder of a frame is its video. Paths that differ only in case are one folder. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  get nVideos(): number {
    return this.#videoNumbers.size;
  }

  /** Loads the rows below `count` that are not loaded yet. */
  extend(count: number): void {
    if (count <= this.#count) return;
    this.#reserve(count);
    const rows = this.#db
      .prepare<[number, number], ItemFacts>(
        `SELECT row, width, height, media.created_at, mtime_ms, exif ->> '$.taken_at', file_path, video_id
         FROM media JOIN file USING (file_id)
         WHERE row >= ? AND row < ? ORDER BY row`,
      )
      .raw()
      .iterate(this.#count, count);
    for (const facts of rows) this.#put(facts);
    this.#nameRowsBelow(count);
    this.#count = count;
  }

  #put([row, width, height, createdAt, modifiedMs, takenAt, filePath, videoId]: ItemFacts): void {
    this.widths[row] = width;
    this.heights[row] = height;
    this.created[row] = Date.parse(createdAt);
    this.taken[row] = clockOf(takenAt) ?? Math.floor(modifiedMs);
    const slash = filePath.lastIndexOf('/');
    this.#nameRowsBelow(row);
    this.names.add(filePath.slice(slash + 1));
    const folder = filePath.slice(0, Math.max(0, slash));
    this.folderOf[row] = numberOf(this.#folderNumbers, folder.toLowerCase());
    if (this.#folderNumbers.size > this.#folders.length) this.#folders.push(folder);
    this.videoOf[row] = videoId === null ? -1 : numberOf(this.#videoNumbers, videoId);
  }

  /** Adds empty names for rows without an item. */
  #nameRowsBelow(row: number): void {
    while (this.names.count < row) this.names.add('');
  }

  #reserve(count: number): void {
    if (count <= this.widths.length) return;
    const size = Math.max(count, Math.ceil(this.#count * 1.5));
    const larger = <T extends Int32Array | Float64Array>(column: T, target: T): T => {
      target.set(column);
      return target;
    };
    this.widths = larger(this.widths, new Int32Array(size));
    this.heights = larger(this.heights, new Int32Array(size));
    this.created = larger(this.created, new Float64Array(size));
    this.taken = larger(this.taken, new Float64Array(size));
    this.folderOf = larger(this.folderOf, new Int32Array(size));
    this.videoOf = larger(this.videoOf, new Int32Array(size).fill(-1));
  }
}

/** The time that a camera's clock showed, as if that were UTC. Undefined without a valid time. */
function clockOf(takenAt: string | null): number | undefined {
  const moment = takenAt === null ? Number.NaN : Date.parse(`${takenAt.slice(0, 19)}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}
