import { DUPLICATE_LEVELS } from '../../../contract/schemas/duplicates.ts';
import type { ChosenItems } from '../../../core/ports/exports.ts';
import type { FieldRow } from '../../../core/ports/metadata.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import {
  type ExportedFile,
  type ExportedItem,
  type ItemOptions,
  type ItemPart,
  PartReaders,
  type PartSources,
} from './exported-parts.ts';

/** A field of custom metadata as declared. */
export type CustomField = Pick<FieldRow, 'field_name' | 'field_type' | 'enum_options' | 'is_multi'>;

interface Parts extends PartSources {
  media: MediaRepository;
  dataFolder: string;
}

/** Reads items for exports, page by page: each page takes a few statements, whatever the size of the dataset. */
export class ExportedItems {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the living rows of the chosen items, in order. */
  rowsOf({ items }: ChosenItems): RowSet {
    const { rowFacts, index } = this.#parts;
    return new RowSet(rowFacts.of('IMAGES').count, new Uint32Array(items)).and(index.alive('IMAGES'));
  }

  /** Lists the fields of custom metadata in the order of their declaration. */
  listFields(): CustomField[] {
    return this.#parts.metadata.list().map(({ field_name, field_type, enum_options, is_multi }) => ({
      field_name,
      field_type,
      enum_options,
      is_multi,
    }));
  }

  /** Lists all labels of the dataset, with their class numbers if they have one. */
  listClasses(): { label: string; class_id: number | null }[] {
    const { annotations, edits } = this.#parts;
    const stored = annotations.listClasses().filter(({ label }) => label !== '');
    const known = new Set(stored.map(({ label }) => label));
    const labels = [...edits.labels('IMAGES', 0).keys(), ...edits.labels('OBJECTS', 0).keys()];
    const others = [...new Set(labels)].filter((label) => !known.has(label));
    return [...stored, ...others.map((label) => ({ label, class_id: null }))];
  }

  /**
   * Returns for each row the lowest row of the set that must not be split: duplicates at any level, and frames of one video. Rows that are
   * not exported have -1.
   */
  tiedTo(rows: RowSet): Int32Array {
    const { columns, duplicates } = this.#parts.rowFacts.of('IMAGES');
    const { videoOf } = columns.items;
    const parents = Int32Array.from({ length: rows.size }, (_, row) => (rows.has(row) ? row : -1));
    const rootOf = (row: number): number => {
      let at = row;
      while (parents[at] !== at) {
        parents[at] = parents[parents[at] as number] as number;
        at = parents[at] as number;
      }
      return at;
    };
    const tie = (a: number, b: number) => {
      const [rootA, rootB] = [rootOf(a), rootOf(b)];
      parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
    };
    const groups = duplicates.connected(Math.min(...DUPLICATE_LEVELS));
    const firstOfGroup = new Map<number, number>();
    const firstOfVideo = new Map<number, number>();
    const tieToFirst = (firsts: Map<number, number>, key: number, row: number) => {
      if (key < 0) return;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, row);
      else tie(first, row);
    };
    rows.forEach((row) => {
      tieToFirst(firstOfGroup, groups.clusterOf(row), row);
      tieToFirst(firstOfVideo, videoOf[row] ?? -1, row);
    });
    return parents.map((parent, row) => (parent < 0 ? -1 : rootOf(row)));
  }

  /** Returns a function that reads pages of rows with the requested parts. */
  async reader<Part extends ItemPart>(
    requested: readonly Part[],
    chosen: ChosenItems,
    options: ItemOptions,
  ): Promise<(rows: readonly number[]) => (ExportedFile & Pick<ExportedItem, Part>)[]> {
    const readers = new PartReaders(this.#parts, chosen, options);
    const parts = await Promise.all(requested.map(async (part) => [part, await readers[part]()] as const));
    return (rows) => {
      const page = this.#listFiles(rows);
      const readers = parts.map(([part, read]) => [part, read(page)] as const);
      return page.map((item) => {
        const whole: Record<string, unknown> = { ...item };
        for (const [part, present] of readers) whole[part] = present(item);
        return whole as unknown as ExportedFile & Pick<ExportedItem, Part>;
      });
    };
  }

  #listFiles(rows: readonly number[]): ExportedFile[] {
    const { media, dataFolder } = this.#parts;
    return media.listToExport(rows).map(({ kind, root, location, ...item }) => ({
      ...item,
      path: resolveLocation(dataFolder, { kind, root }, location),
    }));
  }
}
