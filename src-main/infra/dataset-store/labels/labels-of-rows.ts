import type { EntityType } from '../../../contract/schemas/explore.ts';
import { DEFAULT_LABEL_CONFIDENCE } from '../../../contract/schemas/image.ts';
import { RowSet, type Rows } from '../../vectors/row-set.ts';
import type { StoredColumn, WrittenColumn } from '../columns/column-file.ts';

/** How a row got a label: directly, or an image through one of its objects. */
export type LabelWay = 'own' | 'of_object';

/** Minimum confidences, 0 … 1, of labels that count; labels of annotation files always do. */
export type LeastConfidences = Record<LabelWay, number>;

/**
 * Minimum confidences of labels from models where nothing else is asked for. Taggers and detectors also report much less likely labels, which
 * are stored for views that ask for them. Of an object, every label counts.
 */
export const SHOWN_CONFIDENCES: Record<EntityType, LeastConfidences> = {
  IMAGES: { own: DEFAULT_LABEL_CONFIDENCE, of_object: 0.3 },
  OBJECTS: { own: 0, of_object: 0 },
};

/** Steps of stored confidences: 0 stands for a label that the row did not get in this way, {@link SURE} for one of an annotation file. */
const STEPS = 200;
const SURE = 255;
/** Confidences are not exact in binary. */
const ROUNDING = 1e-9;

const [LABEL, NEXT, CONFIDENCES, LINK] = [0, 1, 2, 3];
const OF_OBJECT_SHIFT = 8;

/** Returns the steps that a label needs, own in the low byte, through objects in the next. */
function leastSteps({ own, of_object }: LeastConfidences): { own: number; of_object: number } {
  const stepOf = (confidence: number) => 1 + Math.ceil(confidence * STEPS - ROUNDING);
  return { own: stepOf(own), of_object: stepOf(of_object) };
}

/** The labels of all rows of one entity type in typed arrays: a chain of entries for each row. Labels can be added to rows in any order. */
export class LabelsOfRows {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** First entry of each row, -1 for none. */
  #heads: Int32Array = new Int32Array(1024).fill(-1);
  #rows: Int32Array = new Int32Array(1024);
  /**
   * The label of an entry, the next entry of its row, and its confidences as steps. They are adjacent because most of the time is spent on
   * memory access.
   */
  #links: Int32Array = new Int32Array(LINK * 1024);
  #nEntries = 0;
  /** Number of the first entries of which none has a confidence of its own. */
  #nSure = 0;
  /** Counters by label, all 0 between two counts. */
  #counts: Int32Array = new Int32Array();

  /** Restores the labels from the arrays written by {@link kept}. */
  static restored(stored: StoredColumn): LabelsOfRows {
    const labels = new LabelsOfRows();
    for (const name of stored.names('labels')) labels.#numberOf(name);
    labels.#heads = stored.integers('heads');
    labels.#rows = stored.integers('rows');
    labels.#links = stored.integers('links');
    labels.#nEntries = labels.#rows.length;
    return labels;
  }

  kept(): WrittenColumn {
    const n = this.#nEntries;
    return {
      names: { labels: this.#names },
      arrays: {
        heads: this.#heads,
        rows: this.#rows.subarray(0, n),
        links: this.#links.subarray(0, LINK * n),
      },
    };
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * Adds a label to a row. If the row got the label in this way already, the higher confidence counts.
   * @param confidence Null for a label of an annotation file.
   */
  add(row: number, label: string, way: LabelWay, confidence: number | null): void {
    const step = confidence === null ? SURE : 1 + Math.floor(Math.min(1, confidence) * STEPS + ROUNDING);
    const number = this.#numberOf(label);
    if (row >= this.#heads.length) this.#heads = grown(this.#heads, row + 1, -1);
    const head = this.#heads[row] ?? -1;
    for (let entry = head; entry >= 0; entry = this.#links[LINK * entry + NEXT] ?? -1) {
      if (this.#links[LINK * entry + LABEL] !== number) continue;
      this.#links[LINK * entry + CONFIDENCES] = raised(this.#links[LINK * entry + CONFIDENCES] ?? 0, way, step);
      return;
    }
    const entry = this.#nEntries;
    if (entry === this.#rows.length) {
      this.#rows = grown(this.#rows, entry + 1, 0);
      this.#links = grown(this.#links, LINK * this.#rows.length, 0);
    }
    this.#rows[entry] = row;
    this.#links[LINK * entry + LABEL] = number;
    this.#links[LINK * entry + NEXT] = head;
    this.#links[LINK * entry + CONFIDENCES] = raised(0, way, step);
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

  /** Whether any label has a confidence. */
  haveConfidences(): boolean {
    for (; this.#nSure < this.#nEntries; this.#nSure += 1) {
      const own = (this.#links[LINK * this.#nSure + CONFIDENCES] as number) & SURE;
      if (own > 0 && own < SURE) return true;
    }
    return false;
  }

  /** Calls `use` with each label that a row got directly, by its number in {@link names}. */
  forEachOwn(least: number, use: (row: number, label: number) => void): void {
    const { own } = leastSteps({ own: least, of_object: 0 });
    this.#forEach({ own, of_object: SURE + 1 }, use);
  }

  /** Calls `use` with each label that a row got in an annotation file, by its number in {@link names}. */
  forEachAnnotated(use: (row: number, label: number) => void): void {
    this.#forEach({ own: SURE, of_object: SURE + 1 }, use);
  }

  /** Returns the rows below `size` that have a label. */
  with(label: string, size: number, least: LeastConfidences): RowSet {
    const set = new RowSet(size);
    const number = this.#numbers.get(label);
    if (number === undefined) return set;
    this.#forEach(leastSteps(least), (row, one) => {
      if (one === number && row < size) set.add(row);
    });
    return set;
  }

  /** Returns the rows below `size` that have a label other than the given ones. */
  withOther(labels: ReadonlySet<string>, size: number, least: LeastConfidences): RowSet {
    const others = this.#names.map((name) => !labels.has(name));
    const set = new RowSet(size);
    this.#forEach(leastSteps(least), (row, label) => {
      if (row < size && others[label]) set.add(row);
    });
    return set;
  }

  /**
   * Returns the labels of the rows, by number in {@link names}, with the number of rows that have each. The cost depends on the number of
   * rows, not on the number of labels.
   */
  countOf(rows: Rows, least: LeastConfidences): { labels: Int32Array; counts: Int32Array } {
    if (this.#counts.length < this.#names.length) this.#counts = new Int32Array(this.#names.length);
    const [heads, links, counts] = [this.#heads, this.#links, this.#counts];
    const { own, of_object } = leastSteps(least);
    const found: number[] = [];
    const count = (row: number) => {
      for (let entry = heads[row] ?? -1; entry >= 0; entry = links[LINK * entry + NEXT] as number) {
        const confidences = links[LINK * entry + CONFIDENCES] as number;
        if ((confidences & SURE) < own && confidences >> OF_OBJECT_SHIFT < of_object) continue;
        const label = links[LINK * entry + LABEL] as number;
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

  labelsOf(row: number, least: LeastConfidences): string[] {
    const names: string[] = [];
    const { own, of_object } = leastSteps(least);
    for (let entry = this.#heads[row] ?? -1; entry >= 0; entry = this.#links[LINK * entry + NEXT] ?? -1) {
      const confidences = this.#links[LINK * entry + CONFIDENCES] ?? 0;
      if ((confidences & SURE) < own && confidences >> OF_OBJECT_SHIFT < of_object) continue;
      names.push(this.#names[this.#links[LINK * entry + LABEL] as number] ?? '');
    }
    return names;
  }

  /** Returns the labels that models gave to a row directly, however unlikely. Confidences are rounded down to {@link STEPS}. */
  guessesOf(row: number): { label: string; confidence: number }[] {
    const guesses: { label: string; confidence: number }[] = [];
    for (let entry = this.#heads[row] ?? -1; entry >= 0; entry = this.#links[LINK * entry + NEXT] ?? -1) {
      const own = (this.#links[LINK * entry + CONFIDENCES] ?? 0) & SURE;
      if (own === 0 || own === SURE) continue;
      const label = this.#names[this.#links[LINK * entry + LABEL] as number] ?? '';
      guesses.push({ label, confidence: (own - 1) / STEPS });
    }
    return guesses;
  }

  /** @param steps As {@link leastSteps} returns them. */
  #forEach(steps: { own: number; of_object: number }, use: (row: number, label: number) => void): void {
    const links = this.#links;
    for (let entry = 0; entry < this.#nEntries; entry += 1) {
      const confidences = links[LINK * entry + CONFIDENCES] as number;
      if ((confidences & SURE) >= steps.own || confidences >> OF_OBJECT_SHIFT >= steps.of_object)
        use(this.#rows[entry] as number, links[LINK * entry + LABEL] as number);
    }
  }
}

/** Returns the confidences of an entry with that of one way raised to a step. */
function raised(confidences: number, way: LabelWay, step: number): number {
  const [own, ofObject] = [confidences & SURE, confidences >> OF_OBJECT_SHIFT];
  return way === 'own'
    ? Math.max(own, step) | (ofObject << OF_OBJECT_SHIFT)
    : own | (Math.max(ofObject, step) << OF_OBJECT_SHIFT);
}

function grown(array: Int32Array, least: number, fill: number): Int32Array {
  const larger = new Int32Array(Math.max(least, array.length * 2)).fill(fill, array.length);
  larger.set(array);
  return larger;
}
