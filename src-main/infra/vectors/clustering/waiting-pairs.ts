import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import type { Dendrogram } from './dendrogram.ts';
import { PairQueue } from './pair-queue.ts';
import { PairSet } from './pair-set.ts';
import { ScoredPairs } from './scored-pairs.ts';

/** Pairs of groups that wait to be merged. Each waits once. */
export class WaitingPairs {
  /** Those that merge at the current threshold. */
  readonly queue: PairQueue;
  /** Pairs below this average cosine never merge, and do not wait. */
  readonly #lowest: number;
  readonly #groups: Dendrogram;
  readonly #added: PairSet;
  /** Those below the current threshold. */
  readonly #later = new ScoredPairs();
  #threshold = Number.POSITIVE_INFINITY;

  constructor(graph: NeighborGraph, groups: Dendrogram, lowest: number) {
    this.queue = new PairQueue(graph);
    this.#groups = groups;
    this.#lowest = lowest;
    // Merged groups have a new number.
    this.#added = new PairSet((a, b) => groups.isCurrent(a) && groups.isCurrent(b));
  }

  /** Lowers the threshold from which pairs merge. @returns The pairs that waited for it, which wait no longer. */
  lowerTo(threshold: number): ScoredPairs {
    this.#threshold = threshold;
    return this.#later.takeFrom(threshold);
  }

  /** Adds two different groups. @returns Their average cosine; -1 if the pair was added before or is below the lowest average. */
  add(group: number, other: number): number {
    const [a, b] = group < other ? [group, other] : [other, group];
    if (!this.#added.add(a, b)) return -1;
    const similarity = this.#groups.averageSimilarity(a, b);
    if (similarity < this.#lowest) return -1;
    if (similarity >= this.#threshold) this.queue.push(similarity, a, b);
    else this.#later.push(similarity, a, b);
    return similarity;
  }
}
