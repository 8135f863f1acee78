import { safePath } from '../../contract/file-name.ts';
import type { ExportInfo, SplitName } from '../../contract/schemas/export.ts';
import { SCHEMA_VERSION } from '../../contract/schemas/export.ts';
import type { ExportRequest, WantedUrl } from '../../core/ports/exports.ts';
import { createUniquePaths } from '../archives/unique-paths.ts';
import type { CustomField, ExportedItems } from '../dataset-store/exports/exported-items.ts';
import type { ExportedFile, ExportedItem, ItemPart } from '../dataset-store/exports/exported-parts.ts';
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

/** An item with those parts of what is said of it that are wanted. */
export type SourceItem<Part extends ItemPart = never> = ExportedFile & Pick<ExportedItem, Part> & Place;

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

  /** All items in order of row, or those of one set. @param wanted What is to be told of them: it is read for them alone. */
  async *pages<Part extends ItemPart = never>(
    wanted: readonly Part[] = [],
    set: SplitName | null = null,
  ): AsyncGenerator<SourceItem<Part>[]> {
    const { items, request, onPassed } = this.#parts;
    const read = items.reader(wanted, request.chosen, request);
    const rows = set === null ? this.#rows : this.#rows.filter((row) => this.#splitOf(row) === set);
    const uniqueOf = new Map<SplitName | null, (path: string) => string>();
    for (let start = 0; start < rows.length; start += PAGE_ITEMS) {
      const page = [...rows.subarray(start, start + PAGE_ITEMS)];
      yield read(page).map((item) => {
        const split = this.#splitOf(item.row);
        const unique = uniqueOf.get(split) ?? createUniquePaths();
        uniqueOf.set(split, unique);
        return { ...item, image_filename: unique(safePath(item.file_path)), split };
      });
      this.#nPassed += page.length;
      onPassed(this.#nPassed);
    }
  }

  async *items<Part extends ItemPart = never>(wanted: readonly Part[] = []): AsyncGenerator<SourceItem<Part>> {
    for await (const page of this.pages(wanted)) yield* page;
  }

  /** Addresses of originals and thumbnails, of a page at once. */
  urlsOf(wanted: WantedUrl[]): Promise<string[]> {
    return this.#parts.urlsOf(wanted);
  }
}
