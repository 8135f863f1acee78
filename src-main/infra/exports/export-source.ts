import { safePath } from '../../contract/file-name.ts';
import type { ExportInfo, SplitName } from '../../contract/schemas/export.ts';
import { SCHEMA_VERSION } from '../../contract/schemas/export.ts';
import type { ExportRequest, RequestedUrl } from '../../core/ports/exports.ts';
import { createUniquePaths } from '../archives/unique-paths.ts';
import type { CustomField, ExportedItems } from '../dataset-store/exports/exported-items.ts';
import type { ExportedFile, ExportedItem, ItemPart } from '../dataset-store/exports/exported-parts.ts';
import { type Classes, classesOf } from './classes.ts';
import { splitRows } from './split-rows.ts';

const PAGE_ITEMS = 500;

/** Path and set of an item in the export. */
interface Place {
  /** Path below `images/` and below the folder of its set, unique there. */
  image_filename: string;
  /** Null when items are not divided into sets. */
  split: SplitName | null;
}

type PlainItem<Part extends ItemPart> = ExportedFile & Pick<ExportedItem, Part>;
/** An exported item with the requested parts of its metadata. */
export type SourceItem<Part extends ItemPart = never> = PlainItem<Part> & Place;

export interface SourceParts {
  items: ExportedItems;
  request: ExportRequest;
  urlsOf: (requested: RequestedUrl[]) => Promise<string[]>;
  /** Awaited between slices of work, which gives way: [Note: Who gives way]. */
  turn?: () => Promise<void>;
  /** Called after every page with the number of items processed, over all passes. */
  onPassed: (nItems: number) => void;
}

/** The exported items, which a format can read repeatedly. Each pass returns them in the same order and under the same names. */
export class ExportSource {
  readonly request: ExportRequest;
  readonly #parts: SourceParts;
  readonly #rows: Int32Array;
  readonly #splitOf: (row: number) => SplitName | null;
  #classes: Classes | undefined;
  #nPassed = 0;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    const { items, request } = parts;
    this.request = request;
    const rows = items.rowsOf(request.chosen);
    this.#rows = rows.toRows();
    this.#splitOf = request.split ? splitRows(items.tiedTo(rows), request.split) : () => null;
  }

  get nItems(): number {
    return this.#rows.length;
  }

  get info(): ExportInfo {
    return { ...this.request.info, schema_version: SCHEMA_VERSION, total_media_items: this.nItems };
  }

  /** Classes of the whole dataset, so that a part of the dataset has the same numbers. */
  get classes(): Classes {
    this.#classes ??= classesOf(this.#parts.items.listClasses());
    return this.#classes;
  }

  get customFields(): CustomField[] {
    return this.#parts.items.listFields();
  }

  /** The sets with a share above 0; empty when items are not divided into sets. */
  get splits(): SplitName[] {
    const { split } = this.request;
    return split ? (Object.keys(split.shares) as SplitName[]).filter((name) => split.shares[name] > 0) : [];
  }

  /** Yields all items in row order, or those of one set. @param requested Parts of the metadata to read. */
  async *pages<Part extends ItemPart = never>(
    requested: readonly Part[] = [],
    set: SplitName | null = null,
  ): AsyncGenerator<SourceItem<Part>[]> {
    const uniqueOf = new Map<SplitName | null, (path: string) => string>();
    for await (const page of this.plainPages(requested, set)) {
      yield page.map((item) => {
        const split = this.#splitOf(item.row);
        const unique = uniqueOf.get(split) ?? createUniquePaths();
        uniqueOf.set(split, unique);
        return { ...item, image_filename: unique(safePath(item.file_path)), split };
      });
    }
  }

  /** Yields the items of {@link pages} without their paths in the export. Making those unique takes memory for each item. */
  async *plainPages<Part extends ItemPart = never>(
    requested: readonly Part[] = [],
    set: SplitName | null = null,
  ): AsyncGenerator<PlainItem<Part>[]> {
    const { items, request, turn, onPassed } = this.#parts;
    const read = await items.reader(requested, request.chosen, request);
    const rows = set === null ? this.#rows : this.#rows.filter((row) => this.#splitOf(row) === set);
    for (let start = 0; start < rows.length; start += PAGE_ITEMS) {
      const page = [...rows.subarray(start, start + PAGE_ITEMS)];
      yield read(page);
      this.#nPassed += page.length;
      onPassed(this.#nPassed);
      await turn?.();
    }
  }

  async *items<Part extends ItemPart = never>(requested: readonly Part[] = []): AsyncGenerator<SourceItem<Part>> {
    for await (const page of this.pages(requested)) yield* page;
  }

  /** URLs of originals and thumbnails, for a page of items at once. */
  urlsOf(requested: RequestedUrl[]): Promise<string[]> {
    return this.#parts.urlsOf(requested);
  }
}
