import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { readParts, writeParts } from '../disk/part-file.ts';

/** Changes whenever columns are laid out in another way, or read from the database in another. */
const FORMAT = 3;
const FILE_NAME = 'columns.derived';

/** A column as it is kept: names by which numbers go, and arrays. */
export interface KeptColumn<ArrayName extends string = string> {
  names: Readonly<Record<string, readonly string[]>>;
  arrays: Readonly<Record<ArrayName, ArrayBufferView>>;
}

/** Of what the columns are: see [Note: Versions of columns]. */
export interface ColumnState {
  rowsVersion: number;
  saidVersion: number;
  counts: Record<EntityType, number>;
}

interface About extends ColumnState {
  format: number;
  schema: number;
  names: Record<string, KeptColumn['names']>;
}

/**
 * Columns in a file beside the database that they were read from, so that a dataset is open at once: the file is read in a hundredth of the
 * time. It is nobody's to keep: not there, damaged or of another state, the database is read.
 */
export class KeptColumns {
  readonly #db: Database.Database;
  readonly #file: string;
  readonly #logFile: string;

  constructor(db: Database.Database, folder: string) {
    this.#db = db;
    this.#file = join(folder, FILE_NAME);
    this.#logFile = join(folder, 'data.db-wal');
  }

  /** Columns of a state of the rows; of their labels it may be another one. */
  read(rowsVersion: number): { state: ColumnState; columns: (name: string) => StoredColumn } | undefined {
    const found = readParts(this.#file);
    if (!found) return undefined;
    const { format, schema, names, ...state } = found.about as About;
    if (format !== FORMAT || schema !== this.#schema() || state.rowsVersion !== rowsVersion) return undefined;
    return { state, columns: (name) => new StoredColumn(names[name] ?? {}, found.parts, name) };
  }

  /** What cannot be written, as to a full disk, is read from the database again next time. */
  write(state: ColumnState, columns: Readonly<Record<string, KeptColumn>>): void {
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

  /** What a power cut takes back from the database must not live on in the file: other changes would be counted by the same versions. */
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
  readonly #names: KeptColumn['names'];
  readonly #parts: ReadonlyMap<string, Uint8Array>;
  readonly #column: string;

  constructor(names: KeptColumn['names'], parts: ReadonlyMap<string, Uint8Array>, column: string) {
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
