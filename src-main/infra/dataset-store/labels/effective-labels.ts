import type { EntityType } from '../../../contract/schemas/explore.ts';
import { RowSet, type Rows } from '../../vectors/row-set.ts';
import type { EditedRows, LabelVerdict } from '../edits/edited-rows.ts';
import { type LabelsOfRows, type LeastConfidences, SHOWN_CONFIDENCES } from './labels-of-rows.ts';

/** Labels of rows with users' corrections applied. */
export class EffectiveLabels {
  readonly #stored: LabelsOfRows;
  readonly #least: LeastConfidences;
  /** By corrected label: the rows that have it. */
  readonly #edited: ReadonlyMap<string, RowSet>;
  readonly #editedNames: ReadonlySet<string>;
  #without: RowSet | undefined;
  #totals: { size: number; counts: Map<string, number> } | undefined;

  /** @param least Minimum confidences of labels from models. */
  constructor(stored: LabelsOfRows, edited: ReadonlyMap<string, RowSet>, least: LeastConfidences) {
    this.#stored = stored;
    this.#least = least;
    this.#edited = edited;
    this.#editedNames = new Set(edited.keys());
  }

  /** Returns the rows below `size` that have a label. */
  with(label: string, size: number): RowSet {
    return this.#edited.get(label) ?? this.#stored.with(label, size, this.#least);
  }

  /** Returns the number of rows below `size` that have a label. */
  totalOf(label: string, size: number): number {
    if (this.#totals?.size !== size) {
      const counts = this.mostFrequent(new RowSet(size).not(), Number.POSITIVE_INFINITY);
      this.#totals = { size, counts: new Map(counts.map(({ name, count }) => [name, count])) };
    }
    return this.#totals.counts.get(label) ?? 0;
  }

  /** Lists all labels that a row may have. */
  names(): string[] {
    return [...new Set([...this.#stored.names, ...this.#editedNames])];
  }

  /** Returns the rows below `size` that have no label. */
  without(size: number): RowSet {
    if (this.#without?.size !== size) {
      const labelled = this.#stored.withOther(this.#editedNames, size, this.#least);
      this.#without = [...this.#edited.values()].reduce((rows, edited) => rows.or(edited), labelled).not();
    }
    return this.#without;
  }

  /** Returns the most frequent labels of the rows, most frequent first, equal ones by name. */
  mostFrequent(rows: Rows, limit: number): { name: string; count: number }[] {
    const { labels, counts } = this.#stored.countOf(rows, this.#least);
    const edited = Array.from(this.#edited, ([name, of]) => ({ name, count: of.countIn(rows) }));
    // A corrected label may be among the stored ones with another count. In the worst case a few more labels are sorted than needed.
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
    const stored = this.#stored.labelsOf(row, this.#least).filter((name) => !this.#edited.has(name));
    return [...stored, ...[...this.#edited].flatMap(([name, rows]) => (rows.has(row) ? [name] : []))].sort();
  }
}

/** Returns the nth largest count; 0 if there are fewer counts. */
function nthLargest(counts: Int32Array, nth: number): number {
  return nth > counts.length ? 0 : (counts.toSorted().at(-nth) ?? 0);
}

const ANY: LeastConfidences = { own: 0, of_object: 0 };
/** A confidence that no label has. */
const NEVER = 2;

interface Stored {
  stored: Record<EntityType, LabelsOfRows>;
  counts: Record<EntityType, number>;
  /** Row of the image, for each object. */
  imageOf: Int32Array;
  edits: EditedRows;
  /** Minimum confidence of all labels from models; default: {@link SHOWN_CONFIDENCES}. */
  least?: number | undefined;
}

/**
 * Computes the labels of images and objects. An image has the labels of its objects, with users' corrections, unless a user removed the
 * label from the image itself.
 */
export function effectiveLabels({
  stored,
  counts,
  imageOf,
  edits,
  least,
}: Stored): Record<EntityType, EffectiveLabels> {
  const requested = least === undefined ? undefined : { own: least, of_object: least };
  const leastOf = { IMAGES: requested ?? SHOWN_CONFIDENCES.IMAGES, OBJECTS: requested ?? SHOWN_CONFIDENCES.OBJECTS };
  const objectVerdicts = edits.labels('OBJECTS', counts.OBJECTS);
  const objects = new Map<string, RowSet>();
  for (const [label, verdict] of objectVerdicts) {
    objects.set(label, corrected(stored.OBJECTS.with(label, counts.OBJECTS, leastOf.OBJECTS), verdict));
  }

  /** Labels of objects that count for their image. */
  const ofImages = { own: leastOf.IMAGES.of_object, of_object: 0 };

  // Excluded objects give their images no labels.
  const excluded = edits.excluded('OBJECTS', counts.OBJECTS);
  const changedOfObjects = new Set(objects.keys());
  excluded.forEach((row) => {
    for (const label of stored.OBJECTS.labelsOf(row, ANY)) changedOfObjects.add(label);
  });

  const imageVerdicts = edits.labels('IMAGES', counts.IMAGES);
  const images = new Map<string, RowSet>();
  for (const label of new Set([...imageVerdicts.keys(), ...changedOfObjects])) {
    const own = stored.IMAGES.with(label, counts.IMAGES, { ...leastOf.IMAGES, of_object: NEVER });
    const ofObjects = changedOfObjects.has(label)
      ? imagesOf(saying(label).without(excluded), imageOf, counts.IMAGES)
      : stored.IMAGES.with(label, counts.IMAGES, { ...leastOf.IMAGES, own: NEVER });
    images.set(label, corrected(own.or(ofObjects), imageVerdicts.get(label)));
  }
  return {
    IMAGES: new EffectiveLabels(stored.IMAGES, images, leastOf.IMAGES),
    OBJECTS: new EffectiveLabels(stored.OBJECTS, objects, leastOf.OBJECTS),
  };

  function saying(label: string): RowSet {
    return corrected(stored.OBJECTS.with(label, counts.OBJECTS, ofImages), objectVerdicts.get(label));
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
