import type { VectorMatch } from '../../../core/ports/vector-engine.ts';
import { TopRows } from '../../vectors/top-rows.ts';

/** A row, and how far it is from what it is compared with. */
export interface RankedRow {
  row: number;
  distance: number;
}

/**
 * Rows and how similar each is to what they are compared with; of equal ones the earlier is nearer. Words may be in a million texts, so
 * what nobody looks at is not brought into order.
 */
export class RankedRows {
  readonly rows: Int32Array;
  /** At most 1. */
  readonly similarities: Float32Array;

  constructor(rows: Int32Array, similarities: Float32Array) {
    this.rows = rows;
    this.similarities = similarities;
  }

  static of(matches: readonly VectorMatch[]): RankedRows {
    return new RankedRows(
      Int32Array.from(matches, ({ row }) => row),
      // Rounding must not part what is the same.
      Float32Array.from(matches, ({ similarity }) => Math.min(1, similarity)),
    );
  }

  get count(): number {
    return this.rows.length;
  }

  distanceAt(at: number): number {
    return 1 - (this.similarities[at] as number);
  }

  /** The nearest first, from one place to before another. */
  nearest(from = 0, to = this.count): RankedRow[] {
    return this.#nearestPlaces(to)
      .slice(from)
      .map((at) => ({ row: this.rows[at] as number, distance: this.distanceAt(at) }));
  }

  /** All, the nearest first. */
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

  /** Those at some places. */
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
