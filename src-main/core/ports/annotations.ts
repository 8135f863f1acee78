import type { Message } from '../../contract/messages.ts';
import type { BoxCursor, BoxResult, ImageOfBoxes } from './boxes.ts';
import type { StoreMethods } from './store-methods.ts';

/** An entry of an annotation file that cannot be imported, and the reason. */
export interface AnnotationProblemRow {
  /** Relative path of the annotation file. */
  source_path: string;
  /** Line, row or position in a list, from 1; null for the whole file. */
  line: number | null;
  reason: Message;
  batch_id: string;
}

export interface AnnotationReads {
  /** Lists problems by file and line. */
  listProblems(query: { offset: number; limit: number }): Promise<{
    annotation_problems: AnnotationProblemRow[];
    total: number;
  }>;
}

/** Imports annotation files, and turns their boxes into objects. */
export interface AnnotationWrites {
  /**
   * Opens the annotation files of a batch and deletes the annotations that an earlier run read from them.
   * @param choosesFolderLabels Whether the names of folders of images are labels from now on, also in later batches.
   * @returns The number of sets of annotations to read; 0 when all are read.
   */
  begin(batchId: string, choosesFolderLabels?: boolean): Promise<number>;
  /** Reads and saves the next page of the files that {@link begin} opened. */
  readNext(batchId: string): Promise<{ n_rows: number; finished: boolean }>;
  /** Lists boxes of a batch that have no thumbnail and vector yet, grouped by image. */
  listBoxes(batchId: string, after: BoxCursor, limit: number): Promise<{ images: ImageOfBoxes[]; after: BoxCursor }>;
  countBoxes(batchId: string): Promise<number>;
  /** Turns boxes into objects, with vectors and thumbnails. Boxes that failed become annotation problems. */
  saveBoxes(results: BoxResult[]): Promise<void>;
}

export const annotationMethods: StoreMethods<AnnotationReads, AnnotationWrites> = {
  listProblems: 'read',
  begin: 'write',
  readNext: 'write',
  listBoxes: 'write',
  countBoxes: 'write',
  saveBoxes: 'write',
};
