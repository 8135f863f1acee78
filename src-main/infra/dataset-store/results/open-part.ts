import { AppError } from '../../../contract/errors.ts';
import { type Message, message } from '../../../contract/messages.ts';
import type { ResultPart } from '../../../contract/schemas/results.ts';
import type { ResultImport } from '../../../core/ports/results.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { ParquetVectors } from '../../parquet/read-parquet.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { type OpenResults, openCocoResults, openTable, openVectors, type ResultRow } from './read-rows.ts';
import { checkBox, checkConfidence, checkText, checkVector, ProblemCounts, type ResultItem } from './row-checks.ts';
import type { StagedResults } from './staged-results.ts';

type Batch = ResultRow[] | ParquetVectors;

/** Reasons that name the file themselves. */
const REFUSALS: ReadonlySet<string> = new Set(['results_part_column_missing', 'results_part_hash_differs']);
/** Two, because some programs write small row groups first. */
const BATCHES_AHEAD = 2;

const NO_BOX = { x: 0, y: 0, width: 0, height: 0 };

export interface PartParts {
  of: ResultImport;
  staged: StagedResults;
  /** Rows of items with a staged vector; extended by the part. */
  seen: RowSet;
  findItem: (mediaId: string) => ResultItem | undefined;
  findRow: (mediaId: string) => number | undefined;
  openParquet: OpenParquet;
}

/** A part of the manifest and its number, from 0. */
export type NumberedPart = ResultPart & { number: number };

/** A part whose rows are read, checked and staged batch by batch. */
export class OpenPart {
  readonly #parts: PartParts;
  readonly #part: ResultPart;
  readonly #number: number;
  readonly #opened: OpenResults<Batch>;
  readonly #problems: ProblemCounts;
  readonly #vectors: ReturnType<StagedResults['writeVectors']> | undefined;
  readonly #rows: number[] = [];
  /** The next batches, which are read while earlier ones are staged. */
  readonly #next: Promise<IteratorResult<Batch>>[] = [];
  #nRead = 0;

  private constructor(parts: PartParts, part: NumberedPart, opened: OpenResults<Batch>) {
    this.#parts = parts;
    this.#part = part;
    this.#number = part.number;
    this.#opened = opened;
    this.#problems = new ProblemCounts(part.file);
    this.#vectors = parts.of.kind === 'embeddings' ? parts.staged.writeVectors(this.#number) : undefined;
    this.#readAhead();
  }

  /**
   * Checks the hash, the columns and the number of rows of a part.
   * @returns Why the part cannot be read.
   * @throws AppError `storage_failed` if the file cannot be read.
   */
  static async open(parts: PartParts, part: NumberedPart & { path: string | undefined }): Promise<OpenPart | Message> {
    const { of, openParquet } = parts;
    const { file, path, rows, sha256 } = part;
    if (path === undefined) return message('results_part_missing', { file });
    const from = { path, file, stated: { sha256, otherwise: message('results_part_hash_differs', { file }) } };
    try {
      const opened: OpenResults<Batch> =
        of.kind === 'embeddings'
          ? await openVectors(from, openParquet)
          : file.endsWith('.json')
            ? await openCocoResults(from, of.categories)
            : await openTable(from, of.kind, openParquet);
      if (opened.n_rows === undefined || opened.n_rows === rows) return new OpenPart(parts, part, opened);
      await opened.close();
      return message('results_part_rows_differ', { file, found: opened.n_rows, stated: rows });
    } catch (error) {
      return unreadable(file, error);
    }
  }

  /** Stages the next batch. */
  async read(): Promise<{ n_read: number; finished: boolean }> {
    const { staged } = this.#parts;
    const { file, rows: stated } = this.#part;
    let batch: IteratorResult<Batch>;
    try {
      batch = (await this.#next.shift()) ?? { done: true, value: undefined };
    } catch (error) {
      await this.#finish(unreadable(file, error));
      return { n_read: this.#nRead, finished: true };
    }
    if (batch.done) {
      const isWhole = this.#nRead === stated;
      const problem = isWhole ? undefined : message('results_part_rows_differ', { file, found: this.#nRead, stated });
      await this.#finish(problem);
      return { n_read: this.#nRead, finished: true };
    }
    this.#readAhead();
    const { value } = batch;
    if (Array.isArray(value)) staged.together(() => this.#stageAnnotations(value));
    else this.#stageVectors(value);
    this.#nRead += Array.isArray(value) ? value.length : value.ids.length;
    return { n_read: this.#nRead, finished: false };
  }

  async close(): Promise<void> {
    this.#vectors?.close();
    await this.#opened.close();
  }

  #readAhead(): void {
    while (this.#next.length < BATCHES_AHEAD) {
      const next = this.#opened.batches.next();
      // Handled when the batch is needed; it may never be if the import is aborted.
      next.catch(() => undefined);
      this.#next.push(next);
    }
  }

  async #finish(problem: Message | undefined): Promise<void> {
    await this.close();
    this.#parts.staged.finishPart(
      {
        number: this.#number,
        n_rows: this.#nRead,
        problem,
        ...(this.#vectors && { rows: Int32Array.from(this.#rows) }),
      },
      this.#problems.counts,
    );
  }

  #stageVectors({ ids, components, ends }: ParquetVectors): void {
    const { of, seen, findRow } = this.#parts;
    const { dim } = of;
    const vectors = new Float32Array(ids.length * dim);
    let n = 0;
    for (const [at, mediaId] of ids.entries()) {
      const place = this.#nRead + at + 1;
      const value = components.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
      const problem = checkVector(value, vectors.subarray(n * dim, (n + 1) * dim));
      if (problem !== undefined) this.#problems.add(problem, place);
      const row = this.#find(findRow, mediaId, place);
      if (row === undefined || problem !== undefined) continue;
      if (seen.has(row)) {
        this.#problems.add('doubled', place);
        continue;
      }
      seen.add(row);
      this.#rows.push(row);
      n += 1;
    }
    this.#vectors?.append(vectors.subarray(0, n * dim));
  }

  #stageAnnotations(rows: readonly ResultRow[]): void {
    const { of, staged, findItem } = this.#parts;
    for (const [at, { media_id, value, confidence: stated, box: area }] of rows.entries()) {
      const place = this.#nRead + at + 1;
      const item = this.#find(findItem, media_id, place);
      const text = checkText(value);
      const confidence = checkConfidence(stated);
      const box = of.kind === 'boxes' && item ? checkBox(area, item) : NO_BOX;
      for (const one of [text, confidence, box]) if (typeof one === 'string') this.#problems.add(one, place);
      if (!item || typeof text === 'string' || typeof confidence === 'string' || typeof box === 'string') continue;
      const isNew = staged.addAnnotation(this.#number, { media_row: item.row, ...text, confidence, ...box });
      if (!isNew) this.#problems.add('doubled', place);
    }
  }

  #find<T>(find: (mediaId: string) => T | undefined, mediaId: unknown, place: number): T | undefined {
    const found = typeof mediaId === 'string' ? find(mediaId) : undefined;
    if (found === undefined) this.#problems.add('unknown', place);
    return found;
  }
}

function unreadable(file: string, error: unknown): Message {
  if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
  const { reason } = error;
  if (REFUSALS.has(reason.code)) return reason;
  return message('results_part_unreadable', { file, problem: reason });
}
