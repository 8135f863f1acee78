import { RowSet, type Rows } from '../../vectors/row-set.ts';
import type { KeptColumn, StoredColumn } from '../columns/kept-columns.ts';

/** How a row came to a label. */
export const OWN = 1;
/** Of an image: through its objects. */
export const OF_OBJECT = 2;
/** Of an object: its model is not sure enough of it for its image to have the label. */
export const UNSURE = 4;
const ANYHOW = OWN | OF_OBJECT | UNSURE;

/** The labels of all rows of one entity type in typed arrays: a chain of entries for each row. Rows can get labels in any order. */
export class LabelsOfRows {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** First entry of each row, -1 for none. */
  #heads: Int32Array = new Int32Array(1024).fill(-1);
  #rows: Int32Array = new Int32Array(1024);
  /** The label of each entry and, beside it, the next entry of its row: most of the time goes into reaching one of the two. */
  #links: Int32Array = new Int32Array(2048);
  #how: Uint8Array = new Uint8Array(1024);
  #nEntries = 0;
  /** By label, all 0 between counts. */
  #counts: Int32Array = new Int32Array();

  /** As {@link kept} told of them. */
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

  /** @param how A label that the row has already, it has in this way too. */
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

  /** Each label that a row has in one of some ways, by its number in {@link names}. */
  forEach(how: number, use: (row: number, label: number) => void): void {
    for (let entry = 0; entry < this.#nEntries; entry += 1) {
      if (((this.#how[entry] as number) & how) !== 0)
        use(this.#rows[entry] as number, this.#links[2 * entry] as number);
    }
  }

  /** Rows below `size` that have a label in one of some ways. */
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

  /** Rows below `size` that have a label other than some. */
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

  /** The labels that any of the rows has, by number in {@link names}, and how many have each. Of few rows it costs little, however many labels there are. */
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
