import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { TopRows } from '../../vectors/top-rows.ts';

/** Compared rows, ascending, with their similarities. Often few of all rows were compared. */
export interface SimilarRows {
  rows: Int32Array;
  similarities: Float32Array;
}

/** Returns the `k` most similar of the allowed rows, most similar first. */
export function bestOf({ rows, similarities }: SimilarRows, k: number, allowed: RowSet): VectorMatch[] {
  const top = new TopRows(Math.min(k, rows.length));
  for (let at = 0; at < rows.length; at += 1) {
    if (allowed.has(rows[at] as number)) top.offer(rows[at] as number, similarities[at] as number);
  }
  return top.best();
}

/** Returns the rows of both, each with the greater of its similarities. */
export function greaterOf(one: SimilarRows, other: SimilarRows): SimilarRows {
  const both = new Int32Array(one.rows.length + other.rows.length);
  both.set(one.rows);
  both.set(other.rows, one.rows.length);
  const rows = both.sort().filter((row, at, all) => at === 0 || row !== all[at - 1]);
  const [ofOne, ofOther] = [similaritiesOf(one, rows), similaritiesOf(other, rows)];
  return { rows, similarities: ofOne.map((similarity, at) => Math.max(similarity, ofOther[at] as number)) };
}

/** Returns the similarities of some rows, given in ascending order; -Infinity for rows that were not compared. */
export function similaritiesOf({ rows, similarities }: SimilarRows, requested: Int32Array): Float32Array {
  const found = new Float32Array(requested.length).fill(Number.NEGATIVE_INFINITY);
  let at = 0;
  for (let nth = 0; nth < requested.length; nth += 1) {
    while (at < rows.length && (rows[at] as number) < (requested[nth] as number)) at += 1;
    if (rows[at] === requested[nth]) found[nth] = similarities[at] as number;
  }
  return found;
}
