import type { Dendrogram } from './dendrogram.ts';
import type { PairQueue } from './pair-queue.ts';
import { PairSet } from './pair-set.ts';

/** Pairs of groups that wait to be merged, the most similar first. Each is queued once. */
export class WaitingPairs {
  readonly queue: PairQueue;
  /** Pairs below this average cosine never merge, and are not queued. */
  readonly lowest: number;
  readonly #groups: Dendrogram;
  readonly #queued = new PairSet();

  constructor(queue: PairQueue, groups: Dendrogram, lowest: number) {
    this.queue = queue;
    this.#groups = groups;
    this.lowest = lowest;
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
