import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { readParts, writeParts } from '../disk/part-file.ts';

/** Version of the file format. Increment when the layout of columns, or the way they are read from the database, changes. */
const FORMAT = 5;
const FILE_NAME = 'columns.derived';

/** A column as stored: names whose positions are the numbers used in the arrays, and the arrays. */
export interface WrittenColumn<ArrayName extends string = string> {
  names: Readonly<Record<string, readonly string[]>>;
  arrays: Readonly<Record<ArrayName, ArrayBufferView>>;
}

/** State of the data that the columns were read from: see [Note: Versions of columns]. */
export interface ColumnState {
  rowsVersion: number;
  annotationsVersion: number;
  counts: Record<EntityType, number>;
}

interface About extends ColumnState {
  format: number;
  schema: number;
  names: Record<string, WrittenColumn['names']>;
}

/**
 * Columns in a file beside the database that they were read from, which is read a hundred times faster, so that a dataset opens at once.
 * The file is only a cache: if it is missing, damaged or of another state, the database is read.
 */
export class ColumnFile {
  readonly #db: Database.Database;
  readonly #file: string;
  readonly #logFile: string;

  constructor(db: Database.Database, folder: string) {
    this.#db = db;
    this.#file = join(folder, FILE_NAME);
    this.#logFile = join(folder, 'data.db-wal');
  }

  /** Reads the columns of a state of the rows. Their labels may be of another state. */
  read(rowsVersion: number): { state: ColumnState; columns: (name: string) => StoredColumn } | undefined {
    const found = readParts(this.#file);
    if (!found) return undefined;
    const { format, schema, names, ...state } = found.about as About;
    if (format !== FORMAT || schema !== this.#schema() || state.rowsVersion !== rowsVersion) return undefined;
    return { state, columns: (name) => new StoredColumn(names[name] ?? {}, found.parts, name) };
  }

  /** Writes the columns. If that fails, as on a full disk, the database is read again the next time. */
  write(state: ColumnState, columns: Readonly<Record<string, WrittenColumn>>): void {
    const each = Object.entries(columns);
    const about: About = {
      ...state,
      format: FORMAT,
      schema: this.#schema(),
      names: Object.fromEntries(each.map(([column, { names }]) => [column, names])),
    };
    const parts = each.flatMap(([column, { arrays }]) =>
      Object.entries(arrays).map(([name, array]) => [partName(column, name), array]),
    );
    try {
      this.#syncLog();
      writeParts(this.#file, { about, parts: Object.fromEntries(parts) });
    } catch {
      rmSync(this.#file, { force: true });
    }
  }

  /**
   * Syncs the database's log before the file is written. Otherwise a power cut could undo changes in the database that the file already
   * has, and later changes would get the same version numbers.
   */
  #syncLog(): void {
    const log = openSync(this.#logFile, 'r+');
    try {
      fsyncSync(log);
    } finally {
      closeSync(log);
    }
  }

  #schema(): number {
    return Number(this.#db.pragma('user_version', { simple: true }));
  }
}

/** One column of a file. */
export class StoredColumn {
  readonly #names: WrittenColumn['names'];
  readonly #parts: ReadonlyMap<string, Uint8Array>;
  readonly #column: string;

  constructor(names: WrittenColumn['names'], parts: ReadonlyMap<string, Uint8Array>, column: string) {
    this.#names = names;
    this.#parts = parts;
    this.#column = column;
  }

  names(name: string): readonly string[] {
    return this.#names[name] ?? [];
  }

  bytes(name: string): Uint8Array {
    return this.#parts.get(partName(this.#column, name)) ?? new Uint8Array();
  }

  integers(name: string): Int32Array {
    const { buffer, byteOffset, byteLength } = this.bytes(name);
    return new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
  }

  numbers(name: string): Float64Array {
    const { buffer, byteOffset, byteLength } = this.bytes(name);
    return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
  }
}

function partName(column: string, array: string): string {
  return `${column}.${array}`;
}
