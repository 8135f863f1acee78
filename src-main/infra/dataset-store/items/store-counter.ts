import type Database from 'better-sqlite3';
import type { StoreCounts } from '../../../core/ports/items.ts';
import { EXCLUDED } from '../../../core/ports/query.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { RowFacts } from '../explore/row-facts.ts';
import type { RowMatcher } from '../explore/row-matcher.ts';
import type { FileReportRepository } from '../intake/file-report.repository.ts';
import type { AnnotationRepository } from '../labels/annotation.repository.ts';
import type { MediaRepository } from './media.repository.ts';
import type { ObjectRepository } from './object.repository.ts';

interface Parts {
  db: Database.Database;
  files: FileReportRepository;
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  matcher: RowMatcher;
  rowFacts: RowFacts;
  edits: EditedRows;
}

/** Counts of a dataset, cached until a change of it is committed. */
export class StoreCounter {
  readonly #parts: Parts;
  #kept: { data_version: number; counts: StoreCounts } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the counts of the whole dataset with users' edits, or of everything that one batch imported. */
  counts(batchId?: string): StoreCounts {
    if (batchId !== undefined) return this.#stored(batchId);
    const dataVersion = Number(this.#parts.db.pragma('data_version', { simple: true }));
    if (this.#kept?.data_version !== dataVersion) {
      this.#kept = { data_version: dataVersion, counts: this.#afterEdits(this.#stored()) };
    }
    return this.#kept.counts;
  }

  #stored(batchId?: string): StoreCounts {
    const { files, media, objects, annotations } = this.#parts;
    return {
      ...files.counts(batchId),
      ...media.countByType(batchId),
      ...annotations.counts(batchId),
      n_objects: objects.count(batchId),
      n_excluded: 0,
    };
  }

  #afterEdits(stored: StoreCounts): StoreCounts {
    const { matcher, rowFacts, edits } = this.#parts;
    // Counting edits loads the columns, which takes seconds at a million rows.
    if (edits.isEmpty) return stored;
    const items = matcher.match('IMAGES', [EXCLUDED]);
    const { videoOf } = rowFacts.of('IMAGES').columns.items;
    let nFrames = 0;
    items.forEach((row) => {
      if ((videoOf[row] ?? -1) >= 0) nFrames += 1;
    });
    return {
      ...stored,
      n_images: stored.n_images - (items.count - nFrames),
      n_frames: stored.n_frames - nFrames,
      n_objects: stored.n_objects - matcher.match('OBJECTS', [EXCLUDED]).count,
      n_labels: stored.n_labels + this.#labelsByHand(),
      n_excluded: items.count,
    };
  }

  /** Counts the labels of items that users added, minus those that users removed. */
  #labelsByHand(): number {
    const { rowFacts, edits, annotations } = this.#parts;
    const { count } = rowFacts.of('IMAGES');
    const verdicts = edits.labels('IMAGES', count);
    const denied = new Map([...verdicts].filter(([, { hasNot }]) => !hasNot.isEmpty));
    let change = 0;
    for (const { has } of verdicts.values()) change += has.count;
    for (const { row, label } of annotations.rowsOfLabels([...denied.keys()])) {
      if (denied.get(label)?.hasNot.has(row)) change -= 1;
    }
    return change;
  }
}
