import type { Score } from '../../../core/ports/query.ts';
import type { VectorCollection, VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from './row-facts.ts';
import { bestOf, type SimilarRows, similaritiesOf } from './similar-rows.ts';

/** Maximum rounding error of the similarity of float32 vectors. */
const ROUNDING = 1e-6;

/** Evaluates one kind of score. Each kind is declared in the folder of its subject, in a file `*.score.ts`. */
export interface ScoreKind<Name extends Score['name']> {
  /** @throws AppError if the rows cannot be compared with what the score names. */
  rank: (score: Score & { name: Name }, facts: Facts) => Ranking | Promise<Ranking>;
  /** Returns the vectors to load before the call, if the score compares rows by their vectors: [Note: Needs of a call]. */
  vectorsOf?: (score: Score & { name: Name }, facts: Facts) => VectorCollection | undefined;
  /** Loads in chunks other data that takes long to load. */
  load?: (score: Score & { name: Name }, facts: Facts) => Iterable<void> | AsyncIterable<void>;
}

/** One score of a plan, ready to be evaluated. */
export interface Ranking {
  /** Rows must have a similarity above this one. */
  above: number;
  /** Returns the `k` best of some rows, best first. */
  best: (k: number, rows: RowSet) => Promise<VectorMatch[]>;
  /** Returns the similarity of each row; rows are ascending. */
  each: (rows: Int32Array) => Promise<Float32Array>;
  /** Rows of the compared items themselves, whose similarity is exactly 1: rounding must not make an item differ from itself. */
  same?: ReadonlySet<number>;
  /** All matching rows, if only few match or the query needs more than the best of them. */
  fitting?: SimilarRows;
}

export function leastSimilarity(maxDistance: number | null): number {
  return maxDistance === null ? Number.NEGATIVE_INFINITY : 1 - maxDistance - ROUNDING;
}

/** Returns a ranking from similarities that are already computed. */
export function byKnown(known: SimilarRows): Pick<Ranking, 'best' | 'each'> {
  return {
    best: async (k, set) => bestOf(known, k, set),
    each: async (rows) => similaritiesOf(known, rows),
  };
}

export function byVectors(collection: VectorCollection, vector: Float32Array): Pick<Ranking, 'best' | 'each'> {
  return {
    best: (k, rows) => collection.search(vector, k, rows),
    each: (rows) => collection.similarities(vector, rows),
  };
}
