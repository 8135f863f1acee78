import type Database from 'better-sqlite3';
import type { IssueLimits } from '../../../../core/ports/issues.ts';
import {
  MEASURED_ISSUES,
  MEASURES,
  type MeasuredIssue,
  type Measures,
  qualityConfidences,
} from './quality-confidences.ts';

type Columns = Record<MeasuredIssue, Float32Array>;

/** Confidences of the issues that are measured on items, by row; rows that were appended extend them. */
export class MeasuredScores {
  readonly #db: Database.Database;
  #columns: Columns = noColumns(0);
  #count = 0;
  #state = '';

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** @param state Changes whenever rows that were there may have other statistics. */
  read(state: string, count: number, limits: IssueLimits): Columns {
    const all = JSON.stringify([state, limits]);
    if (this.#state !== all) {
      this.#state = all;
      this.#count = 0;
    }
    this.#extend(count, limits);
    return this.#columns;
  }

  #extend(count: number, limits: IssueLimits): void {
    if (count <= this.#count) return;
    if (count > this.#columns.blur.length) {
      const larger = noColumns(Math.max(count, Math.ceil(this.#count * 1.5)));
      for (const issue of MEASURED_ISSUES) larger[issue].set(this.#columns[issue]);
      this.#columns = larger;
    }
    const rows = this.#db
      .prepare<[number, number], Measures & { row: number }>(
        `SELECT row, ${MEASURES.join(', ')} FROM media WHERE row >= ? AND row < ?`,
      )
      .iterate(this.#count, count);
    for (const { row, ...measures } of rows) {
      const confidences = qualityConfidences(measures, limits);
      for (const issue of MEASURED_ISSUES) this.#columns[issue][row] = confidences[issue];
    }
    this.#count = count;
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
