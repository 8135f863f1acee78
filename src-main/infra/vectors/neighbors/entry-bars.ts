import { type NeighborGraph, offerNeighbor } from './neighbor-graph.ts';

/** Specifies how queries enter the lists of the candidates that they are compared with. */
export interface BothWays {
  /**
   * Number of rows among which the candidates were searched before. A list that is shorter than possible has lost entries, which far rows
   * must not replace.
   */
  known: number;
}

/** Bounds outside the inner products of unit vectors: none is so high or so low. */
export const [UNREACHABLE, ANYTHING] = [2, -2] as const;

/** The similarity that a query must have to enter the list of each row, which rises while rows enter. */
export class EntryBars {
  readonly #graph: NeighborGraph;
  readonly #bars: Float32Array;

  /** @param bars The similarity of each row at the start (default {@link barOf}). */
  constructor(graph: NeighborGraph, bars = Float32Array.from({ length: graph.count }, (_, row) => barOf(graph, row))) {
    this.#graph = graph;
    this.#bars = bars;
  }

  /** @param bothWays Queries enter the lists of all candidates, including candidates that are not queries and lists that are not full. */
  static ofCandidates(
    { graph, candidates }: { graph: NeighborGraph; candidates: Int32Array },
    bothWays: BothWays | undefined,
  ): EntryBars {
    const bars = new Float32Array(graph.count).fill(UNREACHABLE);
    if (bothWays) for (const row of candidates) bars[row] = barOfKnown(graph, row, bothWays.known);
    return new EntryBars(graph, bars);
  }

  of(row: number): number {
    return this.#bars[row] as number;
  }

  /** Offers a neighbour to a row's list. @returns The similarity that others must now exceed to enter it. */
  offer(row: number, neighbor: number, similarity: number): number {
    offerNeighbor(this.#graph, row, neighbor, similarity);
    return this.raise(row);
  }

  /** Notes the last entry of a row's list if the list is full. @returns The similarity that others must now exceed to enter it. */
  raise(row: number): number {
    const bar = barOf(this.#graph, row);
    if (bar > ANYTHING) this.#bars[row] = bar;
    return bar;
  }
}

/** Returns the similarity that a row must exceed to enter another row's list. */
export function barOf({ k, rows, similarities }: NeighborGraph, row: number): number {
  const last = (row + 1) * k - 1;
  return (rows[last] as number) < 0 ? ANYTHING : (similarities[last] as number);
}

/**
 * Returns the similarity that a row must exceed to enter another row's list, which may be shorter than possible because it has lost
 * entries.
 */
function barOfKnown({ k, rows, similarities }: NeighborGraph, row: number, known: number): number {
  let length = k;
  while (length > 0 && (rows[row * k + length - 1] as number) < 0) length -= 1;
  const hasAll = length < k && length >= known - 1;
  return length === 0 || hasAll ? ANYTHING : (similarities[row * k + length - 1] as number);
}
