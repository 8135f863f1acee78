import type Database from 'better-sqlite3';

/** What the columns keep of one item. */
interface ItemFacts {
  row: number;
  width: number;
  height: number;
  created_at: string;
  file_path: string;
  video_id: string | null;
}

/** Facts of all items as typed arrays, by row. Rows of former content hold what they held, or zeros. */
export class ItemColumns {
  readonly #db: Database.Database;
  readonly #folderNumbers = new Map<string, number>();
  readonly #folders: string[] = [];
  readonly #videoNumbers = new Map<string, number>();
  #count = 0;
  widths = new Int32Array();
  heights = new Int32Array();
  /** Milliseconds since 1970. */
  created = new Float64Array();
  /** Index into {@link folders}. */
  folderOf = new Int32Array();
  /** Number of the video that a frame is of; -1 for images. */
  videoOf = new Int32Array();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Paths of folders; that of a frame is its video. Paths that differ in case alone are one folder. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  get nVideos(): number {
    return this.#videoNumbers.size;
  }

  /** Brings rows below `count` in that are not yet. */
  extend(count: number): void {
    if (count <= this.#count) return;
    this.#reserve(count);
    const rows = this.#db
      .prepare<[number, number], ItemFacts>(
        `SELECT row, width, height, media.created_at, file_path, video_id FROM media JOIN file USING (file_id)
         WHERE row >= ? AND row < ?`,
      )
      .iterate(this.#count, count);
    for (const facts of rows) this.#put(facts);
    this.#count = count;
  }

  #put({ row, width, height, created_at, file_path, video_id }: ItemFacts): void {
    this.widths[row] = width;
    this.heights[row] = height;
    this.created[row] = Date.parse(created_at);
    const folder = file_path.slice(0, Math.max(0, file_path.lastIndexOf('/')));
    this.folderOf[row] = numberOf(this.#folderNumbers, folder.toLowerCase());
    if (this.#folderNumbers.size > this.#folders.length) this.#folders.push(folder);
    this.videoOf[row] = video_id === null ? -1 : numberOf(this.#videoNumbers, video_id);
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
    this.folderOf = larger(this.folderOf, new Int32Array(size));
    this.videoOf = larger(this.videoOf, new Int32Array(size).fill(-1));
  }
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}
