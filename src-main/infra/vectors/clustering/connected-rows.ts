import { freeMemory } from '../free-memory.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { groupByList, type RowsByList } from '../rows.ts';
import type { Dendrogram } from './dendrogram.ts';
import type { ScoredPairs } from './scored-pairs.ts';

/** Pairs by component: no group is in pairs of two components. */
export interface PairComponents {
  count: number;
  /** Pairs of rows, as indexes into the graph's lists. */
  edges: RowsByList;
  /** Indexes of other pairs. */
  others: RowsByList;
}

/** The pairs of rows that the neighbour graph connects, range by range of similarities. */
export class ConnectedRows {
  readonly #graph: NeighborGraph;
  readonly #rows: Int32Array;
  readonly #groups: Dendrogram;
  /** By row: number of entries of its list that were found before. */
  readonly #nFound: Uint16Array;

  /** @param rows Rows that take part, ascending. */
  constructor(graph: NeighborGraph, rows: Int32Array, groups: Dendrogram) {
    this.#graph = graph;
    this.#rows = rows;
    this.#groups = groups;
    this.#nFound = new Uint16Array(graph.count);
  }

  /**
   * Returns all pairs with a similarity of at least `lowest`, less those of an earlier call and those of one group.
   * @param others Further pairs of groups.
   */
  componentsFrom(lowest: number, others: ScoredPairs): PairComponents {
    const parts = new DisjointSets(this.#groups.limit);
    const groupOf = this.#groups.groupsByRow();
    const edges = this.#edgesFrom(lowest, groupOf, parts);
    for (let at = 0; at < others.n; at += 1) {
      const [a, b] = [this.#groups.groupOf(others.as[at] as number), this.#groups.groupOf(others.bs[at] as number)];
      parts.join(parts.find(a), b);
    }
    // Numbered in the order of rows, because similar files are often side by side.
    const numberOf = new Int32Array(this.#groups.limit).fill(-1);
    let count = 0;
    const componentOf = (group: number) => {
      const part = parts.find(group);
      if (numberOf[part] === -1) {
        numberOf[part] = count;
        count += 1;
      }
      return numberOf[part] as number;
    };
    const { k } = this.#graph;
    const ofEdges = edges.map((edge) => componentOf(groupOf[Math.floor(edge / k)] as number));
    const ofOthers = others.as.subarray(0, others.n).map((group) => componentOf(this.#groups.groupOf(group)));
    const found = {
      count,
      edges: groupByList(ofEdges, edges, count),
      others: groupByList(ofOthers, Int32Array.from(ofOthers.keys()), count),
    };
    freeMemory(edges, ofEdges);
    return found;
  }

  /** One index into the graph's lists for each pair of rows; joins their groups. */
  #edgesFrom(lowest: number, groupOf: Int32Array, parts: DisjointSets): Int32Array {
    const { k, rows: neighbors, similarities } = this.#graph;
    // Pages that stay empty take no memory.
    const edges = new Int32Array(this.#rows.length * k);
    let n = 0;
    for (const row of this.#rows) {
      const group = groupOf[row] as number;
      let part = parts.find(group);
      let at = row * k + (this.#nFound[row] as number);
      // Lists are sorted.
      for (; at < (row + 1) * k && (similarities[at] as number) >= lowest; at += 1) {
        const other = neighbors[at] as number;
        if (other < 0) break;
        const otherGroup = groupOf[other] as number;
        if (otherGroup < 0 || otherGroup === group) continue;
        part = parts.join(part, otherGroup);
        edges[n] = at;
        n += 1;
      }
      this.#nFound[row] = at - row * k;
    }
    return edges.subarray(0, n);
  }
}

/** Disjoint sets of numbers, each named by one of them (Galler & Fischer 1964), with path halving. */
class DisjointSets {
  readonly #parent: Int32Array;

  constructor(count: number) {
    this.#parent = new Int32Array(count);
    for (let id = 0; id < count; id += 1) this.#parent[id] = id;
  }

  find(id: number): number {
    const parent = this.#parent;
    let at = id;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  }

  /** Joins a set with the set of a number. @returns The joined set. */
  join(set: number, id: number): number {
    const parent = this.#parent;
    if (parent[id] === set) return set;
    const other = this.find(id);
    const [low, high] = set < other ? [set, other] : [other, set];
    parent[high] = low;
    return low;
  }
}
