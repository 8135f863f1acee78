import type { RowSet } from '../../vectors/row-set.ts';
import type { ClusterIndex } from '../clusters/cluster-index.ts';
import type { Columns } from '../columns/columns.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { GroupedRows } from './copy-groups.ts';
import type { CopyIndex } from './copy-index.ts';
import type { DuplicateGroups } from './duplicate-groups.ts';

interface Parts {
  groups: DuplicateGroups;
  index: IndexReader;
  edits: EditedRows;
  columns: Columns;
  versions: DataVersions;
}

/** Duplicates among the shown rows: those of living items that are not excluded. */
export class ShownDuplicates {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns groups of items around their copy to keep, at a confidence. */
  items(threshold: number): CopyIndex {
    return this.#parts.groups.ofItems(threshold, this.#grouped());
  }

  /** Returns groups of videos, at a confidence. */
  videos(threshold: number): ClusterIndex {
    return this.#parts.groups.ofVideos(threshold, this.#grouped());
  }

  /** Returns groups of items that are connected at a confidence, directly or through others. */
  connected(threshold: number): ClusterIndex {
    return this.#parts.groups.connected(threshold, this.#grouped());
  }

  /** Returns by row the highest share of a pair with another shown item. */
  confidences(): ReadonlyMap<number, number> {
    return this.#parts.groups.confidences(this.#shown());
  }

  /** Loads the pairs in chunks. */
  load(): Generator<void, unknown> {
    return this.#parts.groups.make();
  }

  #grouped(): GroupedRows {
    const { index, edits, columns, versions } = this.#parts;
    const counts = { IMAGES: index.count('IMAGES'), OBJECTS: index.count('OBJECTS') };
    const base = `${versions.rows} ${versions.duplicates} ${index.state()}`;
    return {
      rows: this.#shown(),
      state: `${base} ${edits.state}`,
      base,
      videoOf: columns.read(counts).items.videoOf,
    };
  }

  #shown(): RowSet {
    const { index, edits } = this.#parts;
    return index.alive('IMAGES').without(edits.excluded('IMAGES', index.count('IMAGES')));
  }
}
