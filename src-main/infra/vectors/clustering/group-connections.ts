import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import type { Dendrogram } from './dendrogram.ts';
import type { WaitingPairs } from './waiting-pairs.ts';

/** The pairs of current groups that the neighbour graph connects. */
export class GroupConnections {
  readonly #graph: NeighborGraph;
  readonly #rows: Int32Array;
  readonly #groups: Dendrogram;
  /** Rows that may have neighbours in other groups: groups only merge, so the others have none from then on. */
  #outer: Int32Array;
  /** The first group that was merged since pairs were last queued. Pairs of older ones were queued; pairs of rows are from the start. */
  #firstNew: number;

  /** @param rows Rows of the graph that are grouped, ascending. */
  constructor(graph: NeighborGraph, rows: Int32Array, groups: Dendrogram) {
    this.#graph = graph;
    this.#rows = rows;
    this.#groups = groups;
    this.#outer = rows.slice();
    this.#firstNew = graph.count;
  }

  /**
   * Queues every connected pair of the current groups that was not queued before.
   * @returns The highest average cosine among them, -1 for none; and the groups, ascending, without edges to other groups or too large to have
   *   many.
   */
  queue(waiting: WaitingPairs): { highest: number; islands: Int32Array } {
    const groups = this.#groups;
    const { k, rows: neighbors } = this.#graph;
    const groupOf = groups.groupsByRow();
    const isConnected = new Uint8Array(groups.limit);
    let highest = -1;
    let nOuter = 0;
    for (const row of this.#outer) {
      const group = groupOf[row] as number;
      let before = group;
      for (let at = row * k; at < (row + 1) * k; at += 1) {
        const neighbor = neighbors[at] as number;
        if (neighbor < 0) break;
        const other = groupOf[neighbor] as number;
        if (other === group || other === before) continue;
        before = other;
        isConnected[group] = 1;
        // A row that is not grouped.
        if (other < 0) continue;
        isConnected[other] = 1;
        if (Math.max(group, other) >= this.#firstNew) highest = Math.max(highest, waiting.add(group, other));
      }
      if (before === group) continue;
      this.#outer[nOuter] = row;
      nOuter += 1;
    }
    this.#outer = this.#outer.subarray(0, nOuter);
    this.#firstNew = groups.next;
    return { highest, islands: this.#islands(groupOf, isConnected) };
  }

  #islands(groupOf: Int32Array, isConnected: Uint8Array): Int32Array {
    const isListed = new Uint8Array(this.#groups.limit);
    const islands: number[] = [];
    for (const row of this.#rows) {
      const group = groupOf[row] as number;
      if (isListed[group] === 1 || (isConnected[group] === 1 && this.#groups.sizeOf(group) <= this.#graph.k)) continue;
      isListed[group] = 1;
      islands.push(group);
    }
    return Int32Array.from(islands).sort();
  }
}
