import type { EntityType } from '../../../contract/schemas/explore.ts';
import { RowSet, type Rows } from '../../vectors/row-set.ts';
import type { EditedRows, LabelVerdict } from '../edits/edited-rows.ts';
import { type LabelsOfRows, OF_OBJECT, OWN } from './labels-of-rows.ts';

/** The labels of rows after what people say of them. */
export class EffectiveLabels {
  readonly #stored: LabelsOfRows;
  /** Of labels that edits are about: exactly the rows that have each. */
  readonly #edited: ReadonlyMap<string, RowSet>;
  readonly #editedNames: ReadonlySet<string>;
  #without: RowSet | undefined;
  #totals: { size: number; counts: Map<string, number> } | undefined;

  constructor(stored: LabelsOfRows, edited: ReadonlyMap<string, RowSet>) {
    this.#stored = stored;
    this.#edited = edited;
    this.#editedNames = new Set(edited.keys());
  }

  /** Rows below `size` that have a label. */
  with(label: string, size: number): RowSet {
    return this.#edited.get(label) ?? this.#stored.with(label, size);
  }

  /** How many rows below `size` have a label. */
  totalOf(label: string, size: number): number {
    if (this.#totals?.size !== size) {
      const counts = this.mostFrequent(new RowSet(size).not(), Number.POSITIVE_INFINITY);
      this.#totals = { size, counts: new Map(counts.map(({ name, count }) => [name, count])) };
    }
    return this.#totals.counts.get(label) ?? 0;
  }

  /** All labels that a row may have. */
  names(): string[] {
    return [...new Set([...this.#stored.names, ...this.#editedNames])];
  }

  /** Rows below `size` that have no label. */
  without(size: number): RowSet {
    if (this.#without?.size !== size) {
      const labelled = this.#stored.withOther(this.#editedNames, size);
      this.#without = [...this.#edited.values()].reduce((rows, edited) => rows.or(edited), labelled).not();
    }
    return this.#without;
  }

  /** The labels that most of the rows have, most frequent first, equal ones by name. */
  mostFrequent(rows: Rows, limit: number): { name: string; count: number }[] {
    const { labels, counts } = this.#stored.countOf(rows);
    const edited = Array.from(this.#edited, ([name, of]) => ({ name, count: of.countIn(rows) }));
    // A label that edits are about may be among the stored ones with another count: at worst, some more are sorted.
    const least = Math.max(1, nthLargest(counts, limit + edited.length));
    const found = edited.filter(({ count }) => count >= 1);
    const { names } = this.#stored;
    for (let at = 0; at < labels.length; at += 1) {
      const count = counts[at] as number;
      if (count < least) continue;
      const name = names[labels[at] as number] ?? '';
      if (!this.#edited.has(name)) found.push({ name, count });
    }
    return found.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }

  labelsOf(row: number): string[] {
    const stored = this.#stored.labelsOf(row).filter((name) => !this.#edited.has(name));
    return [...stored, ...[...this.#edited].flatMap(([name, rows]) => (rows.has(row) ? [name] : []))].sort();
  }
}

/** 0 of fewer. */
function nthLargest(counts: Int32Array, nth: number): number {
  return nth > counts.length ? 0 : (counts.toSorted().at(-nth) ?? 0);
}

interface Stored {
  stored: Record<EntityType, LabelsOfRows>;
  counts: Record<EntityType, number>;
  /** For each object the row of its image. */
  imageOf: Int32Array;
  edits: EditedRows;
}

/** An image has the labels of its objects, as people corrected them, unless they say of the image itself that it has not. */
export function effectiveLabels({ stored, counts, imageOf, edits }: Stored): Record<EntityType, EffectiveLabels> {
  const objectVerdicts = edits.labels('OBJECTS', counts.OBJECTS);
  const objects = new Map<string, RowSet>();
  for (const [label, verdict] of objectVerdicts) {
    objects.set(label, corrected(stored.OBJECTS.with(label, counts.OBJECTS), verdict));
  }

  // Objects that are left out say nothing of their images.
  const excluded = edits.excluded('OBJECTS', counts.OBJECTS);
  const changedOfObjects = new Set(objects.keys());
  excluded.forEach((row) => {
    for (const label of stored.OBJECTS.labelsOf(row)) changedOfObjects.add(label);
  });

  const imageVerdicts = edits.labels('IMAGES', counts.IMAGES);
  const images = new Map<string, RowSet>();
  for (const label of new Set([...imageVerdicts.keys(), ...changedOfObjects])) {
    const own = stored.IMAGES.with(label, counts.IMAGES, OWN);
    const ofObjects = changedOfObjects.has(label)
      ? imagesOf(saying(label).without(excluded), imageOf, counts.IMAGES)
      : stored.IMAGES.with(label, counts.IMAGES, OF_OBJECT);
    images.set(label, corrected(own.or(ofObjects), imageVerdicts.get(label)));
  }
  return {
    IMAGES: new EffectiveLabels(stored.IMAGES, images),
    OBJECTS: new EffectiveLabels(stored.OBJECTS, objects),
  };

  function saying(label: string): RowSet {
    return corrected(stored.OBJECTS.with(label, counts.OBJECTS, OWN), objectVerdicts.get(label));
  }
}

function corrected(rows: RowSet, verdict: LabelVerdict | undefined): RowSet {
  return verdict ? rows.without(verdict.hasNot).or(verdict.has) : rows;
}

function imagesOf(objects: RowSet, imageOf: Int32Array, nImages: number): RowSet {
  const images = new RowSet(nImages);
  objects.forEach((row) => {
    const image = imageOf[row] ?? -1;
    if (image >= 0 && image < nImages) images.add(image);
  });
  return images;
}
