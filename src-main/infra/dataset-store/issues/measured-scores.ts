import type Database from 'better-sqlite3';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import {
  MEASURED_ISSUES,
  MEASURES,
  type MeasuredIssue,
  type Measures,
  qualityConfidences,
} from './quality-confidences.ts';

type Columns = Record<MeasuredIssue, Float32Array>;

/** Number of rows read at a time. */
const ROWS_AT_ONCE = 8192;

/**
 * Confidences of the issues that are measured on items, by row. Appended rows extend the columns. An instance is for one state of the data
 * and one set of limits; calls with other limits use another instance.
 */
export class MeasuredScores {
  readonly #db: Database.Database;
  readonly #limits: IssueLimits;
  #columns: Columns = noColumns(0);
  #count = 0;

  constructor(db: Database.Database, limits: IssueLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Columns, longer than the number of rows read so far. Values of rows that were read never change. */
  get columns(): Readonly<Columns> {
    return this.#columns;
  }

  /**
   * Reads the next rows, up to `count`.
   * @returns Whether all rows are read.
   */
  extend(count: number): boolean {
    if (count > this.#columns.blur.length) {
      const larger = noColumns(Math.max(count, Math.ceil(this.#count * 1.5)));
      for (const issue of MEASURED_ISSUES) larger[issue].set(this.#columns[issue]);
      this.#columns = larger;
    }
    const end = Math.max(this.#count, Math.min(count, this.#count + ROWS_AT_ONCE));
    const rows = this.#db
      .prepare<[number, number], [row: number, ...measures: number[]]>(
        `SELECT row, ${MEASURES.join(', ')} FROM media WHERE row >= ? AND row < ?`,
      )
      .raw()
      .iterate(this.#count, end);
    const measures = Object.fromEntries(MEASURES.map((name) => [name, 0])) as Record<keyof Measures, number>;
    const { blur, dark, bright, low_information } = this.#columns;
    for (const values of rows) {
      const [row] = values;
      for (let at = 0; at < MEASURES.length; at += 1)
        measures[MEASURES[at] as keyof Measures] = values[at + 1] as number;
      const confidences = qualityConfidences(measures, this.#limits);
      blur[row] = confidences.blur;
      dark[row] = confidences.dark;
      bright[row] = confidences.bright;
      low_information[row] = confidences.low_information;
    }
    this.#count = end;
    return end >= count;
  }
}

function noColumns(size: number): Columns {
  return {
    blur: new Float32Array(size),
    dark: new Float32Array(size),
    bright: new Float32Array(size),
    low_information: new Float32Array(size),
  };
}
