import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Message } from '../../../contract/messages.ts';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { ResultPart } from '../../../contract/schemas/results.ts';
import type { ResultImport, ResultWrites, RowProblemCount } from '../../../core/ports/results.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { Answered } from '../../threads/answered.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import { appliedKey } from '../enrichment/model-result.repository.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import { OpenPart } from './open-part.ts';
import type { ResultItem } from './row-checks.ts';
import { RowFinder } from './row-finder.ts';
import { saveAnnotations } from './save-annotations.ts';
import { StagedResults } from './staged-results.ts';

const FOLDER = 'results';
/** Number of vectors that are stored per call. */
const PAGE_ROWS = 2048;

interface Parts {
  db: Database.Database;
  /** The generation's folder. */
  folder: string;
  meta: MetaRepository;
  vectors: VectorSpaces;
  versions: DataVersions;
  countRows: (entityType: EntityType) => number;
  openParquet: OpenParquet;
  /** Records that labels or captions have changed. Joins the caller's transaction. */
  noteChange: () => void;
  /** Removes the `meaning` space. */
  dropMeaning: () => Promise<void>;
  /** Deletes the boxes and unpublished objects of a batch. */
  discardBoxes: (batchId: string) => Promise<void>;
}

interface Run {
  of: ResultImport;
  staged: StagedResults;
  seen: RowSet;
  /** Parts that are read one after the other, or why they cannot be read. */
  open: { number: number; part: Promise<OpenPart | Message> }[];
  /** The next staged vector to store. */
  next: { part: number; at: number };
  /** All rows of the part that is being saved, and those whose vectors are stored. */
  stored: { part: number; rows: Int32Array; chosen: RowSet } | undefined;
  nDone: number;
}

/** Imports results in two passes; see {@link ResultWrites}. */
export class LocalResultWrites implements Answered<ResultWrites> {
  readonly #parts: Parts;
  readonly #folder: string;
  readonly #findItem: Database.Statement<[string], ResultItem>;
  readonly #rows: RowFinder;
  #run: Run | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folder = join(parts.folder, FOLDER);
    this.#findItem = parts.db.prepare('SELECT row, width, height FROM media WHERE media_id = ?');
    this.#rows = new RowFinder(parts.db);
  }

  /** Whether the thread must not end. */
  get isReading(): boolean {
    return this.#run !== undefined;
  }

  async begin(of: ResultImport): Promise<{ n_staged: number }> {
    const { vectors, countRows } = this.#parts;
    await this.pause();
    const isAddition = vectors.find('meaning', 'IMAGES') === undefined;
    const staged = StagedResults.open(this.#folder, of, isAddition);
    const size = countRows('IMAGES');
    const seen = of.kind === 'embeddings' ? staged.stagedRows(size) : new RowSet(size);
    this.#run = { of, staged, seen, open: [], next: { part: 0, at: 0 }, stored: undefined, nDone: 0 };
    return { n_staged: staged.nParts };
  }

  async openPart(part: ResultPart & { path: string | undefined }): Promise<void> {
    const { openParquet } = this.#parts;
    const { of, staged, seen, open } = this.#running();
    const findItem = (mediaId: string) => this.#findItem.get(mediaId);
    const findRow = (mediaId: string) => this.#rows.find(mediaId);
    const number = staged.nParts + open.length;
    const opened = OpenPart.open({ of, staged, seen, findItem, findRow, openParquet }, { ...part, number });
    // Handled when the part is read; it may never be if the import is aborted.
    opened.catch(() => undefined);
    open.push({ number, part: opened });
  }

  async readPart(): Promise<{ n_read: number; finished: boolean }> {
    const { staged, open } = this.#running();
    const [first] = open;
    if (!first) throw new Error('no part is open');
    const part = await first.part;
    const isRefused = !(part instanceof OpenPart);
    if (isRefused) staged.finishPart({ number: first.number, n_rows: 0, problem: part });
    const read = isRefused ? { n_read: 0, finished: true } : await part.read();
    if (read.finished) open.shift();
    return read;
  }

  listProblems(): { parts: Message[]; rows: RowProblemCount[]; n_rows: number } {
    const { staged } = this.#running();
    return { parts: staged.listPartProblems(), rows: staged.listRowProblems(), n_rows: staged.nRows };
  }

  async saveNext(): Promise<{ n_done: number; finished: boolean }> {
    const run = this.#running();
    const { of, staged, next } = run;
    const { vectors } = this.#parts;
    this.#beginSpace(run);
    if (next.part >= staged.nParts) {
      await this.#finishSpace(staged);
      return { n_done: run.nDone, finished: true };
    }
    if (run.stored?.part !== next.part) run.stored = await this.#decideStored(staged, next.part);
    const { rows, chosen } = run.stored;
    const n = Math.min(PAGE_ROWS, rows.length - next.at);
    const page = staged.readVectors(next.part, next.at, n, of.dim);
    const chosenRows = rows.slice(next.at, next.at + n);
    let nChosen = 0;
    for (let at = 0; at < n; at += 1) {
      const row = chosenRows[at] as number;
      if (!chosen.has(row)) continue;
      chosenRows[nChosen] = row;
      if (nChosen < at) page.copyWithin(nChosen * of.dim, at * of.dim, (at + 1) * of.dim);
      nChosen += 1;
    }
    if (nChosen > 0) {
      const collection = vectors.of('meaning', 'IMAGES');
      await collection.upsert(chosenRows.subarray(0, nChosen), page.subarray(0, nChosen * of.dim));
    }
    run.nDone += n;
    next.at += n;
    if (next.at >= rows.length) run.next = { part: next.part + 1, at: 0 };
    return { n_done: run.nDone, finished: false };
  }

  async countVectors(): Promise<{ n_vectors: number; n_kept: number }> {
    const { staged } = this.#running();
    let nKept = 0;
    for (let part = 0; !staged.isAddition && part < staged.nParts; part += 1) {
      nKept += staged.rowsOf(part).length - (staged.storedOf(part)?.length ?? 0);
    }
    return { n_vectors: await this.#parts.vectors.of('meaning', 'IMAGES').count(), n_kept: nKept };
  }

  saveAnnotations(): void {
    const { of, staged } = this.#running();
    saveAnnotations(this.#parts, of, staged.databaseFile);
  }

  async undo(of: ResultImport): Promise<void> {
    const { vectors, versions, dropMeaning, discardBoxes } = this.#parts;
    await this.pause();
    const staged = StagedResults.find(this.#folder, of);
    if (staged && of.kind === 'embeddings' && staged.isAddition) await dropMeaning();
    else if (staged && of.kind === 'embeddings') {
      for (let part = 0; part < staged.nParts; part += 1) {
        const stored = staged.storedOf(part);
        if (stored) await vectors.of('meaning', 'IMAGES').remove(stored);
      }
      versions.noteVectors();
    }
    staged?.close();
    if (of.kind === 'boxes') await discardBoxes(of.import_id);
    await this.end();
  }

  async pause(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    for (const { part } of run?.open ?? []) {
      const opened = await part.catch(() => undefined);
      if (opened instanceof OpenPart) await opened.close();
    }
    run?.staged.close();
  }

  async end(): Promise<void> {
    await this.pause();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #running(): Run {
    if (!this.#run) throw new Error('no results are being imported');
    return this.#run;
  }

  #beginSpace({ of, staged, next }: Run): void {
    const { vectors } = this.#parts;
    const isBegun = vectors.findAdded() ?? vectors.find('meaning', 'IMAGES');
    if (isBegun !== undefined || !staged.isAddition || next.part + next.at > 0) return;
    const made = { encoder_id: of.model_id, dim: of.dim };
    vectors.beginMeaning(made, of.with_objects ? ENTITY_TYPES : ['IMAGES']);
  }

  /** Decides which vectors of a part are stored, before the first is: all, or those of items without a vector. */
  async #decideStored(staged: StagedResults, part: number) {
    const rows = staged.rowsOf(part);
    let stored = staged.isAddition ? rows : staged.storedOf(part);
    if (!stored) {
      stored = await this.#rowsWithoutVector(rows);
      staged.setStored(part, stored);
    }
    return { part, rows, chosen: RowSet.of(this.#parts.countRows('IMAGES'), stored) };
  }

  async #rowsWithoutVector(rows: Int32Array): Promise<Int32Array> {
    const collection = this.#parts.vectors.of('meaning', 'IMAGES');
    const without: number[] = [];
    for (let first = 0; first < rows.length; first += PAGE_ROWS) {
      const page = rows.subarray(first, first + PAGE_ROWS);
      const vectors = await collection.fetch(page);
      for (const [at, row] of page.entries()) {
        const vector = vectors.subarray(at * collection.dim, (at + 1) * collection.dim);
        if (vector.every((component) => component === 0)) without.push(row);
      }
    }
    return Int32Array.from(without);
  }

  async #finishSpace(staged: StagedResults): Promise<void> {
    const { db, meta, vectors, versions, countRows } = this.#parts;
    const nRows = countRows('IMAGES');
    const collection = vectors.of('meaning', 'IMAGES');
    await collection.reserve(nRows);
    await collection.flush();
    db.transaction(() => {
      if (staged.isAddition) meta.set(appliedKey('meaning', 'IMAGES'), nRows);
      versions.noteVectors();
    })();
  }
}
