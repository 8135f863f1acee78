import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { LabelsOfRows, type LabelWay } from '../labels/labels-of-rows.ts';
import { ColumnFile, type ColumnState } from './column-file.ts';
import type { DataVersions } from './data-versions.ts';
import { ItemColumns } from './item-columns.ts';

const ITEM_LABELS = `SELECT row, label, CASE WHEN annotation_path IS NULL THEN confidence END
  FROM label JOIN media USING (media_id) WHERE row >= ? AND row < ?`;
const LABELS_OF_OBJECTS = `SELECT media.row, object.label, confidence FROM object JOIN media USING (media_id)
  WHERE object.row >= ? AND object.row < ?`;
const OBJECT_LABELS = 'SELECT row, label, confidence FROM object WHERE row >= ? AND row < ?';
const IMAGES = `SELECT object.row, media.row AS media_row FROM object JOIN media USING (media_id)
  WHERE object.row >= ? AND object.row < ?`;

/** Columns are written to their file after this share of all rows, and at least this number of rows, was read from the database. */
const [KEPT_SHARE, LEAST_KEPT] = [1 / 8, 20_000];

interface Loaded extends ColumnState {
  items: ItemColumns;
  /** Row of the image, for each object. */
  imageOf: Int32Array;
  labels: Record<EntityType, LabelsOfRows>;
}

/** Typed columns of a dataset; see [Note: Versions of columns]. */
export class Columns {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;
  readonly #kept: ColumnFile;
  #loaded: Loaded | undefined;
  /** Number of rows read from the database since the columns were last written to their file. */
  #nRead = 0;

  constructor({ db, versions, folder }: { db: Database.Database; versions: DataVersions; folder: string }) {
    this.#db = db;
    this.#versions = versions;
    this.#kept = new ColumnFile(db, folder);
  }

  /**
   * Reads the columns.
   * @param counts Number of rows requested per entity type. The result may have more rows.
   */
  read(counts: Record<EntityType, number>): Omit<Loaded, 'counts'> {
    const { rows, annotations } = this.#versions;
    const known = this.#loaded?.rowsVersion === rows ? this.#loaded : undefined;
    const loaded = known ?? this.#restored(rows) ?? this.#empty(rows, annotations);
    this.#loaded = loaded;
    if (loaded.annotationsVersion !== annotations) {
      loaded.annotationsVersion = annotations;
      loaded.labels = noLabels();
      this.#addLabels(loaded.labels, { IMAGES: 0, OBJECTS: 0 }, loaded.counts);
    }
    this.#extend(loaded, counts);
    const { IMAGES, OBJECTS } = loaded.counts;
    if (this.#nRead >= Math.max(LEAST_KEPT, (IMAGES + OBJECTS) * KEPT_SHARE)) this.#keep(loaded);
    return loaded;
  }

  #empty(rowsVersion: number, annotationsVersion: number): Loaded {
    return {
      ...{ rowsVersion, annotationsVersion },
      counts: { IMAGES: 0, OBJECTS: 0 },
      items: new ItemColumns(this.#db),
      imageOf: new Int32Array(),
      labels: noLabels(),
    };
  }

  #restored(rowsVersion: number): Loaded | undefined {
    const stored = this.#kept.read(rowsVersion);
    return (
      stored && {
        ...stored.state,
        items: ItemColumns.restored(this.#db, stored.columns('items'), stored.state.counts.IMAGES),
        imageOf: stored.columns('objects').integers('imageOf'),
        labels: {
          IMAGES: LabelsOfRows.restored(stored.columns('labelsOfImages')),
          OBJECTS: LabelsOfRows.restored(stored.columns('labelsOfObjects')),
        },
      }
    );
  }

  #keep({ rowsVersion, annotationsVersion, counts, items, imageOf, labels }: Loaded): void {
    this.#nRead = 0;
    this.#kept.write(
      { rowsVersion, annotationsVersion, counts },
      {
        items: items.kept(),
        objects: { names: {}, arrays: { imageOf: imageOf.subarray(0, counts.OBJECTS) } },
        labelsOfImages: labels.IMAGES.kept(),
        labelsOfObjects: labels.OBJECTS.kept(),
      },
    );
  }

  #extend(loaded: Loaded, requested: Record<EntityType, number>): void {
    const from = loaded.counts;
    const to = { IMAGES: Math.max(from.IMAGES, requested.IMAGES), OBJECTS: Math.max(from.OBJECTS, requested.OBJECTS) };
    if (to.IMAGES === from.IMAGES && to.OBJECTS === from.OBJECTS) return;
    loaded.items.extend(to.IMAGES);
    if (to.OBJECTS > loaded.imageOf.length) {
      const larger = new Int32Array(Math.max(to.OBJECTS, Math.ceil(from.OBJECTS * 1.5))).fill(-1);
      larger.set(loaded.imageOf);
      loaded.imageOf = larger;
    }
    const images = this.#db
      .prepare<[number, number], { row: number; media_row: number }>(IMAGES)
      .iterate(from.OBJECTS, to.OBJECTS);
    for (const { row, media_row } of images) loaded.imageOf[row] = media_row;
    this.#addLabels(loaded.labels, from, to);
    loaded.counts = to;
  }

  #addLabels(labels: Loaded['labels'], from: Loaded['counts'], to: Loaded['counts']): void {
    this.#nRead += to.IMAGES - from.IMAGES + to.OBJECTS - from.OBJECTS;
    const add = (target: LabelsOfRows, sql: string, entityType: EntityType, way: LabelWay) => {
      const found = this.#db
        .prepare<[number, number], [row: number, label: string, confidence: number | null]>(sql)
        .raw()
        .iterate(from[entityType], to[entityType]);
      for (const [row, label, confidence] of found) target.add(row, label, way, confidence);
    };
    add(labels.IMAGES, ITEM_LABELS, 'IMAGES', 'own');
    add(labels.IMAGES, LABELS_OF_OBJECTS, 'OBJECTS', 'of_object');
    add(labels.OBJECTS, OBJECT_LABELS, 'OBJECTS', 'own');
  }
}

function noLabels(): Record<EntityType, LabelsOfRows> {
  return { IMAGES: new LabelsOfRows(), OBJECTS: new LabelsOfRows() };
}
