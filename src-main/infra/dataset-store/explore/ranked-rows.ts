import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import { TopRows } from '../../vectors/top-rows.ts';

/** A row and its distance from what the query compares it with. */
export interface RankedRow {
  row: number;
  distance: number;
}

/**
 * Rows with their similarities to what the query compares them with. Equally similar rows are ordered by row. A million texts may have the
 * searched words, so rows are sorted only as far as they are read.
 */
export class RankedRows {
  readonly rows: Int32Array;
  /** Similarities, at most 1. */
  readonly similarities: Float32Array;

  constructor(rows: Int32Array, similarities: Float32Array) {
    this.rows = rows;
    this.similarities = similarities;
  }

  static of(matches: readonly VectorMatch[]): RankedRows {
    return new RankedRows(
      Int32Array.from(matches, ({ row }) => row),
      // Rounding can give identical items similarities slightly above 1, which must count as equal.
      Float32Array.from(matches, ({ similarity }) => Math.min(1, similarity)),
    );
  }

  get count(): number {
    return this.rows.length;
  }

  distanceAt(at: number): number {
    return 1 - (this.similarities[at] as number);
  }

  /** Returns the rows at the ranks `from` … `to` - 1, nearest first. */
  nearest(from = 0, to = this.count): RankedRow[] {
    return this.#nearestPlaces(to)
      .slice(from)
      .map((at) => ({ row: this.rows[at] as number, distance: this.distanceAt(at) }));
  }

  /** Returns all rows, nearest first. */
  inOrder(): RankedRows {
    return this.at(this.#nearestPlaces(this.count));
  }

  first(count: number): RankedRows {
    return new RankedRows(this.rows.subarray(0, count), this.similarities.subarray(0, count));
  }

  where(holds: (row: number, similarity: number) => boolean): RankedRows {
    const places = new Int32Array(this.count);
    let n = 0;
    for (let at = 0; at < places.length; at += 1) {
      if (!holds(this.rows[at] as number, this.similarities[at] as number)) continue;
      places[n] = at;
      n += 1;
    }
    return n === this.count ? this : this.at(places.subarray(0, n));
  }

  /** Returns the rows at some positions. */
  at(places: ArrayLike<number>): RankedRows {
    const rows = new Int32Array(places.length);
    const similarities = new Float32Array(places.length);
    for (let nth = 0; nth < places.length; nth += 1) {
      rows[nth] = this.rows[places[nth] as number] as number;
      similarities[nth] = this.similarities[places[nth] as number] as number;
    }
    return new RankedRows(rows, similarities);
  }

  #nearestPlaces(count: number): number[] {
    const top = new TopRows(Math.max(0, Math.min(count, this.count)));
    for (let at = 0; at < this.count; at += 1) top.offer(at, this.similarities[at] as number);
    return top.best().map(({ row: at }) => at);
  }
}
