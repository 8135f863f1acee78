import type { Dendrogram } from './dendrogram.ts';
import type { PairQueue } from './pair-queue.ts';
import { PairSet } from './pair-set.ts';

/** Pairs of groups that wait to be merged, the most similar first. Each is queued once. */
export class WaitingPairs {
  readonly queue: PairQueue;
  /** Pairs below this average cosine never merge, and are not queued. */
  readonly lowest: number;
  readonly #groups: Dendrogram;
  readonly #queued: PairSet;

  constructor(queue: PairQueue, groups: Dendrogram, lowest: number) {
    this.queue = queue;
    this.#groups = groups;
    this.lowest = lowest;
    // Merged groups have a new number.
    this.#queued = new PairSet((a, b) => groups.isCurrent(a) && groups.isCurrent(b));
  }

  /** Queues two different groups. @returns Their average cosine; -1 if the pair was added before or is below the lowest average. */
  add(group: number, other: number): number {
    const [a, b] = group < other ? [group, other] : [other, group];
    if (!this.#queued.add(a, b)) return -1;
    const similarity = this.#groups.averageSimilarity(a, b);
    if (similarity < this.lowest) return -1;
    this.queue.push(similarity, a, b);
    return similarity;
  }
}
