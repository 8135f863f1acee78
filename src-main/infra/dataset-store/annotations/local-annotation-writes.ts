import type Database from 'better-sqlite3';
import type { AnnotationWrites } from '../../../core/ports/annotations.ts';
import type { BoxCursor, BoxResult } from '../../../core/ports/boxes.ts';
import { OF_FOLDER } from '../../annotations/read-folder-labels.ts';
import type { Answered } from '../../threads/answered.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import type { RowAppender } from '../intake/row-appender.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import type { AnnotationImporter } from './annotation-importer.ts';
import type { ObjectStore } from './object-store.ts';

/** Whether the names of folders are labels, also of media that are added later. */
const FOLDER_LABELS = 'folder_labels';

interface Parts {
  db: Database.Database;
  rows: WriterRows;
  meta: MetaRepository;
  live: LiveRows;
  vectors: VectorSpaces;
  appender: RowAppender;
  importer: AnnotationImporter;
  objects: ObjectStore;
  /** Number of rows of objects that the published index covers. */
  countPublished: () => number;
}

export class LocalAnnotationWrites implements Answered<AnnotationWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async begin(batchId: string, choosesFolderLabels = false): Promise<number> {
    const { rows, meta, importer } = this.#parts;
    if (choosesFolderLabels) meta.set(FOLDER_LABELS, true);
    const hasFolderLabels = meta.get<boolean>(FOLDER_LABELS) === true;
    const isLabelling = hasFolderLabels && !rows.annotations.hasLabelsOf(batchId, OF_FOLDER);
    if (!isLabelling && !rows.annotationFiles.isWaiting(batchId)) {
      rows.annotationFiles.finish(batchId);
      return 0;
    }
    await this.discard(batchId);
    return importer.begin(batchId, hasFolderLabels);
  }

  /** Deletes the annotations of a batch, and its objects that are not published. */
  async discard(batchId: string): Promise<void> {
    const { db, rows, live, vectors, appender } = this.#parts;
    const before = rows.objects.rows();
    db.transaction(() => {
      this.deleteBatch(batchId);
      rows.texts.refresh();
      live.noteChange();
    })();
    appender.rewind();
    await vectors.removeFrom('OBJECTS', rows.objects.rows(), before);
  }

  async readNext(batchId: string): Promise<{ n_rows: number; finished: boolean }> {
    return this.#parts.importer.next(batchId);
  }

  listBoxes(batchId: string, after: BoxCursor, limit: number) {
    return this.#parts.objects.listBoxes(batchId, after, limit);
  }

  countBoxes(batchId: string): number {
    return this.#parts.rows.boxes.count(batchId);
  }

  saveBoxes(results: BoxResult[]): Promise<void> {
    return this.#parts.objects.saveBoxes(results);
  }

  /** As {@link discard}, for the rows only. Joins the caller's transaction. */
  deleteBatch(batchId: string): void {
    const { annotations, problems, boxes, annotatedObjects, objects } = this.#parts.rows;
    annotations.deleteBatch(batchId);
    problems.deleteBatch(batchId);
    boxes.deleteBatch(batchId);
    annotatedObjects.keepReplaced(batchId);
    objects.deleteBatch(this.#parts.countPublished(), batchId);
  }
}
