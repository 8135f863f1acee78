import { RowSet } from '../../vectors/row-set.ts';

/** The labels of all rows of one entity type in typed arrays: a chain of entries for each row. Rows can get labels in any order. */
export class LabelsOfRows {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** First entry of each row, -1 for none. */
  #heads = new Int32Array(1024).fill(-1);
  #rows = new Int32Array(1024);
  #labels = new Int32Array(1024);
  #next = new Int32Array(1024);
  #nEntries = 0;

  /** A label that the row has already changes nothing. */
  add(row: number, label: string): void {
    let number = this.#numbers.get(label);
    if (number === undefined) {
      number = this.#names.push(label) - 1;
      this.#numbers.set(label, number);
    }
    if (row >= this.#heads.length) this.#heads = grown(this.#heads, row + 1, -1);
    const head = this.#heads[row] ?? -1;
    for (let entry = head; entry >= 0; entry = this.#next[entry] ?? -1) if (this.#labels[entry] === number) return;
    const entry = this.#nEntries;
    if (entry === this.#rows.length) {
      this.#rows = grown(this.#rows, entry + 1, 0);
      this.#labels = grown(this.#labels, entry + 1, 0);
      this.#next = grown(this.#next, entry + 1, 0);
    }
    this.#rows[entry] = row;
    this.#labels[entry] = number;
    this.#next[entry] = head;
    this.#heads[row] = entry;
    this.#nEntries += 1;
  }

  /** Rows below `size` that have a label. */
  with(label: string, size: number): RowSet {
    const set = new RowSet(size);
    const number = this.#numbers.get(label);
    if (number === undefined) return set;
    for (let entry = 0; entry < this.#nEntries; entry += 1) {
      const row = this.#rows[entry] as number;
      if (this.#labels[entry] === number && row < size) set.add(row);
    }
    return set;
  }

  /** Rows below `size` that have no label. */
  without(size: number): RowSet {
    return RowSet.where(size, (row) => (this.#heads[row] ?? -1) < 0);
  }

  /** The labels that most of the rows have, most frequent first, equal ones by name. */
  mostFrequent(rows: ArrayLike<number>, limit: number): { name: string; count: number }[] {
    if (this.#nEntries === 0) return [];
    const counts = new Int32Array(this.#names.length);
    for (let at = 0; at < rows.length; at += 1) {
      const head = this.#heads[rows[at] as number] ?? -1;
      for (let entry = head; entry >= 0; entry = this.#next[entry] as number) {
        const label = this.#labels[entry] as number;
        counts[label] = (counts[label] as number) + 1;
      }
    }
    const found: { name: string; count: number }[] = [];
    for (const [number, count] of counts.entries()) {
      if (count > 0) found.push({ name: this.#names[number] ?? '', count });
    }
    return found.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }
}

function grown(array: Int32Array<ArrayBuffer>, least: number, fill: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least, array.length * 2)).fill(fill, array.length);
  larger.set(array);
  return larger;
}
