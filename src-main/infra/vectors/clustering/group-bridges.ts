import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { searchExactly } from '../neighbors/exact-graph.ts';
import { emptyGraph } from '../neighbors/neighbor-graph.ts';
import { HeldVectors } from '../row-vectors.ts';
import { CODED_COMPONENTS } from '../vector-codes.ts';
import type { Dendrogram } from './dendrogram.ts';
import type { WaitingPairs } from './waiting-pairs.ts';

/** Number of nearest islands that each island is compared with. */
const BRIDGES = 8;

/**
 * Pairs of isolated groups. When a group has more rows than a neighbour list, all neighbours of its rows can be in the same group, as with
 * many copies of one image. Then no edge leaves the group, and it would never merge with a similar one. Such groups are few. They are compared
 * by their means, whose inner product is the average cosine; each is compared with all others when it is new.
 */
export class GroupBridges {
  readonly #groups: Dendrogram;
  readonly #dim: number;
  readonly #threads: number;
  /** By group: 1 once it was compared. */
  readonly #isKnown: Uint8Array;

  constructor(groups: Dendrogram, dim: number, threads: number) {
    this.#groups = groups;
    this.#dim = dim;
    this.#threads = threads;
    this.#isKnown = new Uint8Array(groups.limit);
  }

  /**
   * Queues the nearest pairs of the new islands and all islands.
   * @param islands Groups that may have no edge to another group.
   * @returns The highest average cosine among the newly queued pairs; -1 for none.
   */
  async queue(islands: Int32Array, waiting: WaitingPairs): Promise<number> {
    const [groups, dim] = [this.#groups, this.#dim];
    const candidates = Int32Array.from(islands.keys());
    const queries = candidates.filter((at) => this.#isKnown[islands[at] as number] === 0);
    if (queries.length === 0 || islands.length < 2) return -1;
    const graph = emptyGraph(islands.length, BRIDGES);
    const means = new GroupMeans(groups, islands, dim);
    const areFew = islands.length * dim <= CODED_COMPONENTS;
    const search = {
      graph,
      vectors: areFew ? new HeldVectors(means.gather(candidates), dim) : means,
      queries,
      candidates,
      threads: this.#threads,
    };
    await searchExactly(search, { known: 0 });
    for (const at of queries) this.#isKnown[islands[at] as number] = 1;
    let highest = -1;
    for (const [at, near] of graph.rows.entries()) {
      const a = islands[Math.floor(at / BRIDGES)] as number;
      const b = near < 0 ? a : (islands[near] as number);
      if (a !== b) highest = Math.max(highest, waiting.add(a, b));
    }
    return highest;
  }
}

/** The means of groups, computed when they are read. */
class GroupMeans implements RowVectors {
  readonly areHeld = false;
  readonly dim: number;
  readonly count: number;
  readonly #groups: Dendrogram;
  readonly #numbers: Int32Array;

  /** @param numbers Group of each row. */
  constructor(groups: Dendrogram, numbers: Int32Array, dim: number) {
    this.#groups = groups;
    this.#numbers = numbers;
    this.dim = dim;
    this.count = numbers.length;
  }

  copy(row: number, target: Float32Array, at = 0): void {
    this.#groups.copyMean(this.#numbers[row] as number, target, at);
  }

  gather(rows: Int32Array, room = new Float32Array(rows.length * this.dim)): Float32Array {
    for (const [at, row] of rows.entries()) this.copy(row, room, at * this.dim);
    return room;
  }
}
