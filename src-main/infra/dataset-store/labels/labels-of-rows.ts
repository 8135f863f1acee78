import { RowSet, type Rows } from '../../vectors/row-set.ts';
import type { KeptColumn, StoredColumn } from '../columns/kept-columns.ts';

/** Bit flag: the row got the label directly. */
export const OWN = 1;
/** Bit flag: an image got the label through one of its objects. */
export const OF_OBJECT = 2;
/** Bit flag: an object got the label from a model whose confidence is too low for its image to have the label. */
export const UNSURE = 4;
const ANYHOW = OWN | OF_OBJECT | UNSURE;

/** The labels of all rows of one entity type in typed arrays: a chain of entries for each row. Labels can be added to rows in any order. */
export class LabelsOfRows {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** First entry of each row, -1 for none. */
  #heads: Int32Array = new Int32Array(1024).fill(-1);
  #rows: Int32Array = new Int32Array(1024);
  /** Pairs of the label of an entry and the next entry of its row. They are adjacent because most of the time is spent on memory access. */
  #links: Int32Array = new Int32Array(2048);
  #how: Uint8Array = new Uint8Array(1024);
  #nEntries = 0;
  /** Counters by label, all 0 between two counts. */
  #counts: Int32Array = new Int32Array();

  /** Restores the labels from the arrays written by {@link kept}. */
  static restored(stored: StoredColumn): LabelsOfRows {
    const labels = new LabelsOfRows();
    for (const name of stored.names('labels')) labels.#numberOf(name);
    labels.#heads = stored.integers('heads');
    labels.#rows = stored.integers('rows');
    labels.#links = stored.integers('links');
    labels.#how = stored.bytes('how');
    labels.#nEntries = labels.#rows.length;
    return labels;
  }

  kept(): KeptColumn {
    const n = this.#nEntries;
    return {
      names: { labels: this.#names },
      arrays: {
        heads: this.#heads,
        rows: this.#rows.subarray(0, n),
        links: this.#links.subarray(0, 2 * n),
        how: this.#how.subarray(0, n),
      },
    };
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * Adds a label to a row.
   * @param how How the row got the label. If the row has the label already, this flag is added.
   */
  add(row: number, label: string, how: number): void {
    const number = this.#numberOf(label);
    if (row >= this.#heads.length) this.#heads = grown(this.#heads, row + 1, -1);
    const head = this.#heads[row] ?? -1;
    for (let entry = head; entry >= 0; entry = this.#links[2 * entry + 1] ?? -1) {
      if (this.#links[2 * entry] !== number) continue;
      this.#how[entry] = (this.#how[entry] as number) | how;
      return;
    }
    const entry = this.#nEntries;
    if (entry === this.#rows.length) {
      this.#rows = grown(this.#rows, entry + 1, 0);
      this.#links = grown(this.#links, 2 * this.#rows.length, 0);
      const wider = new Uint8Array(this.#rows.length);
      wider.set(this.#how);
      this.#how = wider;
    }
    this.#rows[entry] = row;
    this.#links[2 * entry] = number;
    this.#links[2 * entry + 1] = head;
    this.#how[entry] = how;
    this.#heads[row] = entry;
    this.#nEntries += 1;
  }

  #numberOf(label: string): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    const number = this.#names.push(label) - 1;
    this.#numbers.set(label, number);
    return number;
  }

  /** Calls `use` with each label that a row got in one of some ways, by its number in {@link names}. */
  forEach(how: number, use: (row: number, label: number) => void): void {
    for (let entry = 0; entry < this.#nEntries; entry += 1) {
      if (((this.#how[entry] as number) & how) !== 0)
        use(this.#rows[entry] as number, this.#links[2 * entry] as number);
    }
  }

  /** Returns the rows below `size` that got a label in one of some ways. */
  with(label: string, size: number, how = ANYHOW): RowSet {
    const set = new RowSet(size);
    const number = this.#numbers.get(label);
    if (number === undefined) return set;
    for (let entry = 0; entry < this.#nEntries; entry += 1) {
      const row = this.#rows[entry] as number;
      if (this.#links[2 * entry] === number && row < size && ((this.#how[entry] as number) & how) !== 0) set.add(row);
    }
    return set;
  }

  /** Returns the rows below `size` that have a label other than the given ones. */
  withOther(labels: ReadonlySet<string>, size: number): RowSet {
    if (labels.size === 0) return RowSet.where(size, (row) => (this.#heads[row] ?? -1) >= 0);
    const others = this.#names.map((name) => !labels.has(name));
    const set = new RowSet(size);
    for (let entry = 0; entry < this.#nEntries; entry += 1) {
      const row = this.#rows[entry] as number;
      if (row < size && others[this.#links[2 * entry] as number]) set.add(row);
    }
    return set;
  }

  /**
   * Returns the labels of the rows, by number in {@link names}, with the number of rows that have each. The cost depends on the number of
   * rows, not on the number of labels.
   */
  countOf(rows: Rows): { labels: Int32Array; counts: Int32Array } {
    if (this.#counts.length < this.#names.length) this.#counts = new Int32Array(this.#names.length);
    const [heads, links, counts] = [this.#heads, this.#links, this.#counts];
    const found: number[] = [];
    const count = (row: number) => {
      for (let entry = heads[row] ?? -1; entry >= 0; entry = links[2 * entry + 1] as number) {
        const label = links[2 * entry] as number;
        const n = counts[label] as number;
        if (n === 0) found.push(label);
        counts[label] = n + 1;
      }
    };
    if (rows instanceof RowSet) rows.forEach(count);
    else for (let at = 0; at < rows.length; at += 1) count(rows[at] as number);
    const labels = Int32Array.from(found);
    const counted = labels.map((label) => counts[label] as number);
    for (const label of found) counts[label] = 0;
    return { labels, counts: counted };
  }

  labelsOf(row: number): string[] {
    const names: string[] = [];
    for (let entry = this.#heads[row] ?? -1; entry >= 0; entry = this.#links[2 * entry + 1] as number) {
      names.push(this.#names[this.#links[2 * entry] as number] ?? '');
    }
    return names;
  }
}

function grown(array: Int32Array, least: number, fill: number): Int32Array {
  const larger = new Int32Array(Math.max(least, array.length * 2)).fill(fill, array.length);
  larger.set(array);
  return larger;
}
