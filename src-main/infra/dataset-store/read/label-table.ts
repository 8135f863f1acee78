import { type LabelCondition, UNLABELED } from '../../../core/ports/explored.ts';

/** The labels of all rows of one entity type as typed arrays, to count them over clusters of any size. */
export class LabelTable {
  readonly #names: string[] = [];
  /** Labels of row r are numbers[offsets[r] … offsets[r + 1]]. */
  readonly #offsets: Int32Array;
  readonly #numbers: Int32Array;

  /** @param labels In order of row; rows from `count` on are passed over. */
  constructor(count: number, labels: Iterable<{ row: number; label: string }>) {
    this.#offsets = new Int32Array(count + 1);
    const numbers: number[] = [];
    const numberOf = new Map<string, number>();
    for (const { row, label } of labels) {
      if (row >= count) break;
      let number = numberOf.get(label);
      if (number === undefined) {
        number = this.#names.push(label) - 1;
        numberOf.set(label, number);
      }
      numbers.push(number);
      this.#offsets[row + 1] = (this.#offsets[row + 1] ?? 0) + 1;
    }
    for (let row = 0; row < count; row += 1) {
      this.#offsets[row + 1] = (this.#offsets[row + 1] ?? 0) + (this.#offsets[row] ?? 0);
    }
    this.#numbers = Int32Array.from(numbers);
  }

  /** The labels that most of the rows have, most frequent first, equal ones by name. */
  mostFrequent(rows: ArrayLike<number>, limit: number): string[] {
    if (this.#numbers.length === 0) return [];
    const counts = new Map<number, number>();
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] ?? -1;
      const end = this.#offsets[row + 1] ?? 0;
      for (let place = this.#offsets[row] ?? 0; place < end; place += 1) {
        const number = this.#numbers[place] ?? 0;
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
    }
    return [...counts]
      .map(([number, count]) => ({ name: this.#names[number] ?? '', count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
      .map(({ name }) => name);
  }

  /** 1 for each row that a condition holds for. */
  matching({ op, labels }: LabelCondition): Uint8Array {
    const count = this.#offsets.length - 1;
    const names = labels.filter((label) => label !== UNLABELED);
    const wanted = new Set(names.map((name) => this.#names.indexOf(name)));
    const nWanted = wanted.size + (names.length < labels.length ? 1 : 0);
    const mask = new Uint8Array(count);
    for (let row = 0; row < count; row += 1) {
      const [start = 0, end = 0] = [this.#offsets[row], this.#offsets[row + 1]];
      let nMet = start === end && names.length < labels.length ? 1 : 0;
      for (let place = start; place < end; place += 1) if (wanted.has(this.#numbers[place] ?? -2)) nMet += 1;
      const hasAll = nMet === nWanted;
      const holds = { is: hasAll, is_not: !hasAll, one_of: nMet > 0, not_one_of: nMet === 0 }[op];
      mask[row] = holds ? 1 : 0;
    }
    return mask;
  }
}
