import type Database from 'better-sqlite3';
import { type Compared, MATCH_IOU } from '../../../contract/schemas/charts.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import { PairList, type Pairs } from './pairs.ts';

interface Box {
  row: number;
  label: number;
  /** Left, top, right and bottom in pixels. */
  sides: [number, number, number, number];
  /** Null for annotated boxes. */
  confidence: number | null;
}

type StoredBox = [
  image: number,
  row: number,
  x: number,
  y: number,
  w: number,
  h: number,
  label: string,
  c: number | null,
];
type StoredLabel = [image: number, label: string, confidence: number | null];

const BOXES = `SELECT media.row, object.row, x, y, object.width, object.height, label, confidence
  FROM object JOIN media USING (media_id) WHERE object.row < ? ORDER BY media.row`;
const LABELS = `SELECT row, label, CASE WHEN annotation_path IS NULL THEN confidence END FROM label JOIN media USING (media_id)
  WHERE row < ? AND (annotation_path IS NOT NULL OR confidence IS NOT NULL) ORDER BY row`;

/** Pairs of annotations and predictions of all rows, cached until annotations or edits change: [Note: Agreement]. */
export class ComparedPairs {
  readonly #db: Database.Database;
  readonly #edits: EditedRows;
  readonly #versions: DataVersions;
  readonly #cached = new Map<Compared, { state: string; pairs: Pairs }>();

  constructor({ db, edits, versions }: { db: Database.Database; edits: EditedRows; versions: DataVersions }) {
    this.#db = db;
    this.#edits = edits;
    this.#versions = versions;
  }

  /** @param counts Number of rows of items and objects. */
  of(compared: Compared, counts: { items: number; objects: number }): Pairs {
    const { rows, annotations } = this.#versions;
    const state = `${rows} ${annotations} ${this.#edits.state} ${counts.items} ${counts.objects}`;
    const known = this.#cached.get(compared);
    if (known?.state === state) return known.pairs;
    const pairs = compared === 'objects' ? this.#ofObjects(counts.objects) : this.#ofLabels(counts.items);
    this.#cached.set(compared, { state, pairs });
    return pairs;
  }

  #ofObjects(count: number): Pairs {
    const list = new PairList();
    const excluded = this.#edits.excluded('OBJECTS', count);
    const corrected = new Map<number, number>();
    for (const [label, { has }] of this.#edits.labels('OBJECTS', count)) {
      has.forEach((row) => {
        corrected.set(row, list.numberOf(label));
      });
    }
    let image = -1;
    let boxes: Box[] = [];
    for (const stored of this.#db.prepare<[number], StoredBox>(BOXES).raw().iterate(count)) {
      const [of, row, x, y, width, height, label, confidence] = stored;
      if (excluded.has(row)) continue;
      if (of !== image) {
        addPairs(list, image, boxes);
        [image, boxes] = [of, []];
      }
      const number = corrected.get(row) ?? list.numberOf(label);
      boxes.push({ row, label: number, sides: [x, y, x + width, y + height], confidence });
    }
    addPairs(list, image, boxes);
    return list.list();
  }

  #ofLabels(count: number): Pairs {
    const list = new PairList();
    let image = -1;
    let labels: { label: number; confidence: number | null }[] = [];
    const end = () => {
      const annotated = labels.filter(({ confidence }) => confidence === null);
      const [first] = annotated;
      if (first === undefined) return;
      const best = labels.reduce<{ label: number; confidence: number } | undefined>(
        (most, { label, confidence }) =>
          confidence !== null && confidence > (most?.confidence ?? -1) ? { label, confidence } : most,
        undefined,
      );
      const same = annotated.find(({ label }) => label === best?.label) ?? first;
      list.add(image, { row: image, label: same.label }, best && { row: image, ...best });
    };
    for (const [row, label, confidence] of this.#db.prepare<[number], StoredLabel>(LABELS).raw().iterate(count)) {
      if (row !== image) {
        end();
        [image, labels] = [row, []];
      }
      labels.push({ label: list.numberOf(label), confidence });
    }
    end();
    return list.list();
  }
}

/** Adds the pairs of one image. */
function addPairs(list: PairList, image: number, boxes: readonly Box[]): void {
  const free = boxes.filter(({ confidence }) => confidence === null);
  const predicted = boxes.flatMap(({ confidence, ...box }) => (confidence === null ? [] : [{ ...box, confidence }]));
  predicted.sort((a, b) => b.confidence - a.confidence || a.row - b.row);
  for (const box of predicted) {
    const overlaps = free.map((one) => overlap(one.sides, box.sides));
    const best = overlaps.reduce((most, share, at) => (share > (overlaps[most] ?? 0) ? at : most), 0);
    const isMatch = (overlaps[best] ?? 0) >= MATCH_IOU;
    list.add(image, isMatch ? free.splice(best, 1)[0] : undefined, box);
  }
  for (const left of free) list.add(image, left, undefined);
}

/** Intersection over union. */
function overlap(a: Box['sides'], b: Box['sides']): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const area = ([left, top, right, bottom]: Box['sides']) => (right - left) * (bottom - top);
  return (width * height) / (area(a) + area(b) - width * height);
}
