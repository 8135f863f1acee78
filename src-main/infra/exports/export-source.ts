import { safePath } from '../../contract/file-name.ts';
import type { ExportInfo, SplitName } from '../../contract/schemas/export.ts';
import { SCHEMA_VERSION } from '../../contract/schemas/export.ts';
import type { ExportRequest, WantedUrl } from '../../core/ports/exports.ts';
import { createUniquePaths } from '../archives/unique-paths.ts';
import type { CustomField, ExportedFile, ExportedItem, ExportedItems } from '../dataset-store/read/exported-items.ts';
import { type Classes, classesOf } from './classes.ts';
import { splitRows } from './split-rows.ts';

const PAGE_ITEMS = 500;

/** Where an item is in what is exported. */
interface Place {
  /** Below `images/`, and below the folder of its set: a path that no other item there has. */
  image_filename: string;
  /** Null where items are not parted into sets. */
  split: SplitName | null;
}

export type SourceFile = ExportedFile & Place;
export type SourceItem = ExportedItem & Place;

export interface SourceParts {
  items: ExportedItems;
  request: ExportRequest;
  urlsOf: (wanted: WantedUrl[]) => Promise<string[]>;
  /** Called with every page: how many items were passed, in all passes over them. */
  onPassed: (nItems: number) => void;
}

/** What is exported, as often as a format passes over it. Items come in the same order, and under the same names, each time. */
export class ExportSource {
  readonly request: ExportRequest;
  readonly #parts: SourceParts;
  readonly #rows: Int32Array;
  readonly #read: (rows: readonly number[]) => ExportedItem[];
  readonly #splitOf: (row: number) => SplitName | null;
  #classes: Classes | undefined;
  #nPassed = 0;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    const { items, request } = parts;
    this.request = request;
    const rows = items.rowsOf(request.chosen);
    this.#rows = rows.toRows();
    this.#read = items.reader(request.chosen, request);
    this.#splitOf = request.split ? splitRows(items.tiedTo(rows), request.split) : () => null;
  }

  get nItems(): number {
    return this.#rows.length;
  }

  get info(): ExportInfo {
    return { ...this.request.info, schema_version: SCHEMA_VERSION, total_media_items: this.nItems };
  }

  /** Those of the whole dataset, so that a part of it has the same numbers. */
  get classes(): Classes {
    this.#classes ??= classesOf(this.#parts.items.listClasses());
    return this.#classes;
  }

  get customFields(): CustomField[] {
    return this.#parts.items.listFields();
  }

  /** The sets that there are; none where items are not parted. */
  get splits(): SplitName[] {
    const { split } = this.request;
    return split ? (Object.keys(split.shares) as SplitName[]).filter((name) => split.shares[name] > 0) : [];
  }

  /** All items in order of row, or those of one set. */
  pages(split: SplitName | null = null): AsyncGenerator<SourceItem[]> {
    return this.#pages(this.#read, split);
  }

  /** The same without what is said of them. */
  files(split: SplitName | null = null): AsyncGenerator<SourceFile[]> {
    return this.#pages((rows) => this.#parts.items.listFiles(rows), split);
  }

  async *items(split: SplitName | null = null): AsyncGenerator<SourceItem> {
    for await (const page of this.pages(split)) yield* page;
  }

  /** Addresses of originals and thumbnails, of a page at once. */
  urlsOf(wanted: WantedUrl[]): Promise<string[]> {
    return this.#parts.urlsOf(wanted);
  }

  async *#pages<Item extends ExportedFile>(
    read: (rows: readonly number[]) => Item[],
    split: SplitName | null,
  ): AsyncGenerator<(Item & Place)[]> {
    const wanted = split === null ? this.#rows : this.#rows.filter((row) => this.#splitOf(row) === split);
    const uniqueOf = new Map<SplitName | null, (path: string) => string>();
    for (let start = 0; start < wanted.length; start += PAGE_ITEMS) {
      const rows = [...wanted.subarray(start, start + PAGE_ITEMS)];
      yield read(rows).map((item) => {
        const set = this.#splitOf(item.row);
        const unique = uniqueOf.get(set) ?? createUniquePaths();
        uniqueOf.set(set, unique);
        return { ...item, image_filename: unique(safePath(item.file_path)), split: set };
      });
      this.#nPassed += rows.length;
      this.#parts.onPassed(this.#nPassed);
    }
  }
}
