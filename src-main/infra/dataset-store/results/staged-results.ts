import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Message, readMessage, storeMessage } from '../../../contract/messages.ts';
import type { ResultImport, RowProblem, RowProblemCount } from '../../../core/ports/results.ts';
import { RowSet } from '../../vectors/row-set.ts';

const FILE = 'staged.db';
const SCHEMA = `
  CREATE TABLE import (import_id TEXT NOT NULL, manifest_sha256 TEXT NOT NULL, is_addition INTEGER NOT NULL) STRICT;
  -- number: from 0. problem: why the part cannot be read. rows: of the items, int32, in the order of the file with the vectors; stored: the
  -- rows whose vectors extend a finished space, NULL before.
  CREATE TABLE part (
    number INTEGER PRIMARY KEY, n_rows INTEGER NOT NULL, problem TEXT, rows BLOB, stored BLOB
  ) STRICT;
  CREATE TABLE row_problem (
    part INTEGER NOT NULL, problem TEXT NOT NULL, n INTEGER NOT NULL, file TEXT NOT NULL, row INTEGER NOT NULL,
    PRIMARY KEY (part, problem)
  ) STRICT;
  -- Labels, boxes or captions of items. The box is 0 for other kinds.
  CREATE TABLE annotation (
    media_row INTEGER NOT NULL, text TEXT NOT NULL, confidence REAL, x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL,
    height INTEGER NOT NULL, part INTEGER NOT NULL, UNIQUE (media_row, text, x, y, width, height)
  ) STRICT;`;

export interface StagedAnnotation {
  media_row: number;
  text: string;
  confidence: number | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The checked parts of an import, in a folder beside the dataset's data: vectors in files, everything else in a small database. A part
 * counts as staged when {@link finishPart} has returned; what an earlier run left of a later part is deleted.
 */
export class StagedResults {
  readonly #folder: string;
  readonly #db: Database.Database;
  readonly #addAnnotation: Database.Statement<[StagedAnnotation & { part: number }]>;

  private constructor(folder: string, db: Database.Database) {
    this.#folder = folder;
    this.#db = db;
    this.#addAnnotation = db.prepare(
      `INSERT OR IGNORE INTO annotation VALUES (:media_row, :text, :confidence, :x, :y, :width, :height, :part)`,
    );
  }

  /** Continues an import with the same manifest, or deletes what another one left and begins. */
  static open(folder: string, of: ResultImport, isAddition: boolean): StagedResults {
    const known = StagedResults.find(folder, of);
    if (known) return known;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const db = openStaged(folder);
    db.transaction(() => {
      db.exec(SCHEMA);
      db.prepare('INSERT INTO import VALUES (?, ?, ?)').run(of.import_id, of.manifest_sha256, isAddition ? 1 : 0);
    })();
    return new StagedResults(folder, db);
  }

  /** Opens what is staged of an import. */
  static find(folder: string, of: ResultImport): StagedResults | undefined {
    if (!existsSync(join(folder, FILE))) return undefined;
    const db = openStaged(folder);
    const isOf = db.prepare<[], number>(`SELECT 1 FROM sqlite_schema WHERE name = 'annotation'`).pluck().get();
    const known =
      isOf &&
      db
        .prepare('SELECT 1 FROM import WHERE import_id = ? AND manifest_sha256 = ?')
        .get(of.import_id, of.manifest_sha256);
    if (!known) {
      db.close();
      return undefined;
    }
    const staged = new StagedResults(folder, db);
    db.prepare('DELETE FROM annotation WHERE part >= ?').run(staged.nParts);
    return staged;
  }

  /** Whether the import adds a space; otherwise it extends a finished one. */
  get isAddition(): boolean {
    return this.#db.prepare<[], number>('SELECT is_addition FROM import').pluck().get() === 1;
  }

  get nParts(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM part').pluck().get() ?? 0;
  }

  get nRows(): number {
    return this.#db.prepare<[], number>('SELECT ifnull(sum(n_rows), 0) FROM part').pluck().get() ?? 0;
  }

  get databaseFile(): string {
    return join(this.#folder, FILE);
  }

  /** Returns the rows of items whose vectors are staged. @param size Number of items. */
  stagedRows(size: number): RowSet {
    const set = new RowSet(size);
    for (let part = 0; part < this.nParts; part += 1) for (const row of this.rowsOf(part)) set.add(row);
    return set;
  }

  /** @returns False if an earlier row is equal, whatever its confidence. */
  addAnnotation(part: number, annotation: StagedAnnotation): boolean {
    return this.#addAnnotation.run({ ...annotation, part }).changes > 0;
  }

  /** Runs work in one transaction. */
  together(work: () => void): void {
    this.#db.transaction(work)();
  }

  finishPart(
    part: { number: number; n_rows: number; problem?: Message | undefined; rows?: Int32Array },
    problems: ReadonlyMap<RowProblem, Omit<RowProblemCount, 'problem'>> = new Map(),
  ): void {
    this.together(() => {
      const { number, n_rows, problem, rows } = part;
      this.#db
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, NULL)')
        .run(number, n_rows, problem ? storeMessage(problem) : null, rows ? bytesOf(rows) : null);
      const add = this.#db.prepare('INSERT INTO row_problem VALUES (?, ?, ?, ?, ?)');
      for (const [name, { n, file, row }] of problems) add.run(number, name, n, file, row);
    });
  }

  listPartProblems(): Message[] {
    return this.#db
      .prepare<[], string>('SELECT problem FROM part WHERE problem IS NOT NULL ORDER BY number')
      .pluck()
      .all()
      .map(readMessage);
  }

  listRowProblems(): RowProblemCount[] {
    return this.#db
      .prepare<[], RowProblemCount & { part: number }>(
        // SQLite takes the other columns from the row with the minimum.
        `SELECT problem, sum(n) AS n, min(part) AS part, file, row FROM row_problem GROUP BY problem ORDER BY problem`,
      )
      .all()
      .map(({ part: _part, ...count }) => count);
  }

  rowsOf(part: number): Int32Array {
    return int32Of(
      this.#db.prepare<[number], Buffer | null>('SELECT rows FROM part WHERE number = ?').pluck().get(part),
    );
  }

  /**
   * Returns the rows of a part whose vectors extend a finished space, or are about to; undefined if that is not yet decided. An addition
   * stores all rows.
   */
  storedOf(part: number): Int32Array | undefined {
    const found = this.#db
      .prepare<[number], Buffer | null>('SELECT stored FROM part WHERE number = ?')
      .pluck()
      .get(part);
    return found ? int32Of(found) : undefined;
  }

  setStored(part: number, rows: Int32Array): void {
    // To be undone, even after a power cut.
    this.#db.pragma('synchronous = FULL');
    this.#db.prepare('UPDATE part SET stored = ? WHERE number = ?').run(bytesOf(rows), part);
  }

  writeVectors(part: number): { append(vectors: Float32Array): void; close(): void } {
    const file = openSync(this.#vectorFile(part), 'w');
    return {
      append: (vectors) => {
        const bytes = bytesOf(vectors);
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      },
      close: () => {
        fsyncSync(file);
        closeSync(file);
      },
    };
  }

  /** Returns `n` vectors from the `first`. */
  readVectors(part: number, first: number, n: number, dim: number): Float32Array {
    const vectors = new Float32Array(n * dim);
    const bytes = bytesOf(vectors);
    const file = openSync(this.#vectorFile(part), 'r');
    try {
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(file, bytes, done, bytes.length - done, first * dim * 4 + done);
        if (read === 0) throw new Error('the staged vectors end too early');
        done += read;
      }
    } finally {
      closeSync(file);
    }
    return vectors;
  }

  close(): void {
    this.#db.close();
  }

  #vectorFile(part: number): string {
    return join(this.#folder, `${part}.f32`);
  }
}

function openStaged(folder: string): Database.Database {
  const db = new Database(join(folder, FILE));
  // A power cut may take back the last parts, which are then staged again.
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  return db;
}

function bytesOf(values: Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** A copy: the bytes of SQLite need not be aligned. */
function int32Of(bytes: Buffer | null | undefined): Int32Array {
  return new Int32Array(new Uint8Array(bytes ?? []).buffer);
}
