import { AppError } from '../../../contract/errors.ts';
import { type Message, message } from '../../../contract/messages.ts';
import type { ResultPart } from '../../../contract/schemas/results.ts';
import type { ResultImport } from '../../../core/ports/results.ts';
import { pacedChecksumOf } from '../../files/file-checksum.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { ParquetVectors } from '../../parquet/read-parquet.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { type OpenResults, openCocoResults, openTable, openVectors, type ResultRow } from './read-rows.ts';
import { checkBox, checkConfidence, checkText, checkVector, ProblemCounts, type ResultItem } from './row-checks.ts';
import type { StagedResults } from './staged-results.ts';

type Batch = ResultRow[] | ParquetVectors;

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

/** A part whose rows are read, checked and staged batch by batch. */
export class OpenPart {
  readonly #parts: PartParts;
  readonly #part: ResultPart;
  readonly #number: number;
  readonly #opened: OpenResults<Batch>;
  readonly #problems: ProblemCounts;
  readonly #vectors: ReturnType<StagedResults['writeVectors']> | undefined;
  readonly #rows: number[] = [];
  /** The next batch is read while the present one is staged. */
  #next: Promise<IteratorResult<Batch>>;
  #nRead = 0;

  private constructor(parts: PartParts, part: ResultPart, opened: OpenResults<Batch>) {
    this.#parts = parts;
    this.#part = part;
    this.#number = parts.staged.nParts;
    this.#opened = opened;
    this.#problems = new ProblemCounts(part.file);
    this.#vectors = parts.of.kind === 'embeddings' ? parts.staged.writeVectors(this.#number) : undefined;
    this.#next = this.#readAhead();
  }

  /**
   * Checks the hash, the columns and the number of rows of a part.
   * @returns Why the part cannot be read, which is staged instead.
   * @throws AppError `storage_failed` if the file cannot be read.
   */
  static async open(parts: PartParts, part: ResultPart & { path: string | undefined }): Promise<OpenPart | Message> {
    const { staged, of, openParquet } = parts;
    const { file, path, rows, sha256 } = part;
    const refuse = (problem: Message): Message => {
      staged.finishPart({ number: staged.nParts, n_rows: 0, problem });
      return problem;
    };
    if (path === undefined) return refuse(message('results_part_missing', { file }));
    if ((await pacedChecksumOf(path, () => Promise.resolve())) !== sha256) {
      return refuse(message('results_part_hash_differs', { file }));
    }
    try {
      const opened: OpenResults<Batch> =
        of.kind === 'embeddings'
          ? await openVectors(path, file, openParquet)
          : file.endsWith('.json')
            ? openCocoResults(path, of.categories)
            : await openTable(path, file, of.kind, openParquet);
      if (opened.n_rows === undefined || opened.n_rows === rows) return new OpenPart(parts, part, opened);
      await opened.close();
      return refuse(message('results_part_rows_differ', { file, found: opened.n_rows, stated: rows }));
    } catch (error) {
      return refuse(unreadable(file, error));
    }
  }

  /** Stages the next batch. */
  async read(): Promise<{ n_read: number; finished: boolean }> {
    const { staged } = this.#parts;
    const { file, rows: stated } = this.#part;
    let batch: IteratorResult<Batch>;
    try {
      batch = await this.#next;
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
    this.#next = this.#readAhead();
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

  #readAhead(): Promise<IteratorResult<Batch>> {
    const next = this.#opened.batches.next();
    // Handled when the batch is needed; it may never be if the import is aborted.
    next.catch(() => undefined);
    return next;
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
  if (reason.code === 'results_part_column_missing') return reason;
  return message('results_part_unreadable', { file, problem: reason });
}
