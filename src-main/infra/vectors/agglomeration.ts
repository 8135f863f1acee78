import type { NeighborGraph } from './neighbor-graph.ts';
import { PairHeap } from './pair-heap.ts';
import { gatherRows, innerProduct } from './rows.ts';

/**
 * Groups of rows that grow by merging the pair with the highest average cosine, among pairs that are connected (see agglomerate.ts).
 * Everything is by *place*: the number of a row within `rows`; a group goes by the place of one of its members.
 *
 * [Note: Late scores] When a group takes another in, only the pairs of the side with fewer connections are scored anew. The other pairs of
 * the grown group keep their old score until they come to the top of the heap, and are scored then. A pair can wait too long only if its
 * score has risen, that is if a group came in that is nearer to the third one and yet not connected with it, which the neighbour graph all
 * but rules out. In return a large group takes a single row in at the cost of that row's connections, not of its own thousands.
 */
export class Agglomeration {
  readonly #dim: number;
  readonly #lowest: number;
  readonly #sums: Float32Array;
  readonly #sizes: Int32Array;
  readonly #parents: Int32Array;
  /** Groups that each group is connected with; what they are called may be out of date, so they are looked up. */
  readonly #connections: (Int32Array | undefined)[];
  readonly #seen: Int32Array;
  readonly #heap = new PairHeap();
  #stamp = 0;

  /**
   * @param options.rows Row numbers, ascending; rows of the graph that are not among them take no part.
   * @param options.lowest Pairs below this average cosine never merge.
   */
  constructor(options: { graph: NeighborGraph; vectors: Float32Array; dim: number; rows: Int32Array; lowest: number }) {
    const { vectors, dim, rows, lowest } = options;
    this.#dim = dim;
    this.#lowest = lowest;
    const own = gatherRows(vectors, dim, rows);
    this.#sums = own === vectors ? vectors.slice() : own;
    this.#sizes = new Int32Array(rows.length).fill(1);
    this.#parents = Int32Array.from(rows, (_, place) => place);
    this.#seen = new Int32Array(rows.length);
    this.#connections = this.#connectNeighbors(options.graph, rows);
  }

  /** Merges until no connected pair is left with an average cosine of at least `cut`. */
  mergeDownTo(cut: number, signal?: AbortSignal): void {
    for (let pair = this.#heap.pop(); pair; pair = this.#heap.pop()) {
      const { a, b } = pair;
      // A group that was taken in has passed its pairs on.
      if (this.#parents[a] !== a || this.#parents[b] !== b) continue;
      if (this.#sizesOf(a, b) !== pair.sizes) {
        this.#score(a, b);
        continue;
      }
      if (pair.similarity < cut) {
        this.#heap.push(pair.similarity, a, b, pair.sizes);
        return;
      }
      this.#merge(a, b);
      if (this.#stamp % 4096 === 0) signal?.throwIfAborted();
    }
  }

  /** The group of a row. */
  groupOf(place: number): number {
    let root = place;
    while (this.#parents[root] !== root) root = this.#parents[root] as number;
    for (let at = place; at !== root; ) {
      const next = this.#parents[at] as number;
      this.#parents[at] = root;
      at = next;
    }
    return root;
  }

  sizeOf(group: number): number {
    return this.#sizes[group] as number;
  }

  /** Mean vector of a group, written to `target` at `offset`. */
  meanOf(group: number, target: Float32Array, offset: number): void {
    const size = this.#sizes[group] as number;
    const from = group * this.#dim;
    for (let axis = 0; axis < this.#dim; axis += 1) target[offset + axis] = (this.#sums[from + axis] as number) / size;
  }

  /** How close a vector is to the mean of a group. */
  closeness(group: number, vectors: Float32Array, row: number): number {
    return innerProduct(this.#sums, group * this.#dim, vectors, row * this.#dim, this.#dim);
  }

  /** Other groups that a group is connected with. */
  connectionsOf(group: number): Int32Array {
    const groups = this.#union(group, group);
    this.#connections[group] = groups;
    return groups;
  }

  /** Makes two groups, not the same, known to each other. */
  connect(a: number, b: number): void {
    this.#connections[a] = appended(this.#connections[a], b);
    this.#connections[b] = appended(this.#connections[b], a);
    this.#score(a, b);
  }

  #merge(a: number, b: number): void {
    const theirs_a = this.#connections[a] ?? new Int32Array();
    const theirs_b = this.#connections[b] ?? new Int32Array();
    const keep_a = theirs_a.length !== theirs_b.length ? theirs_a.length > theirs_b.length : a < b;
    const [kept, gone] = keep_a ? [a, b] : [b, a];
    const dim = this.#dim;
    for (let axis = 0; axis < dim; axis += 1) {
      this.#sums[kept * dim + axis] =
        (this.#sums[kept * dim + axis] as number) + (this.#sums[gone * dim + axis] as number);
    }
    this.#sizes[kept] = this.#sizesOf(kept, gone);
    this.#parents[gone] = kept;
    const scored_anew = theirs_a.length === theirs_b.length ? undefined : this.#connections[gone];
    const all = this.#union(kept, gone);
    this.#connections[kept] = all;
    this.#connections[gone] = undefined;
    if (scored_anew === undefined) {
      for (let at = 0; at < all.length; at += 1) this.#score(kept, all[at] as number);
      return;
    }
    this.#stamp += 1;
    this.#seen[kept] = this.#stamp;
    for (let at = 0; at < scored_anew.length; at += 1) {
      const other = this.groupOf(scored_anew[at] as number);
      if (this.#seen[other] === this.#stamp) continue;
      this.#seen[other] = this.#stamp;
      this.#score(kept, other);
    }
  }

  /** Groups connected with either of two, each once, by their present names, without the two themselves. */
  #union(a: number, b: number): Int32Array {
    const lists = a === b ? [this.#connections[a]] : [this.#connections[a], this.#connections[b]];
    const union = new Int32Array(lists.reduce((sum, list) => sum + (list?.length ?? 0), 0));
    this.#stamp += 1;
    this.#seen[this.groupOf(a)] = this.#stamp;
    let length = 0;
    for (const list of lists) {
      for (let at = 0; at < (list?.length ?? 0); at += 1) {
        const other = this.groupOf(list?.[at] as number);
        if (this.#seen[other] === this.#stamp) continue;
        this.#seen[other] = this.#stamp;
        union[length] = other;
        length += 1;
      }
    }
    return union.slice(0, length);
  }

  #score(a: number, b: number): void {
    const dim = this.#dim;
    const products = (this.#sizes[a] as number) * (this.#sizes[b] as number);
    const similarity = innerProduct(this.#sums, a * dim, this.#sums, b * dim, dim) / products;
    if (similarity >= this.#lowest) this.#heap.push(similarity, Math.min(a, b), Math.max(a, b), this.#sizesOf(a, b));
  }

  #sizesOf(a: number, b: number): number {
    return (this.#sizes[a] as number) + (this.#sizes[b] as number);
  }

  /** Neighbours both ways: those of a row's own list, and rows in whose lists it is. */
  #connectNeighbors(graph: NeighborGraph, rows: Int32Array): Int32Array[] {
    const { k } = graph;
    const place_of = new Int32Array(graph.count).fill(-1);
    for (let place = 0; place < rows.length; place += 1) place_of[rows[place] as number] = place;
    const degrees = new Int32Array(rows.length);
    const eachEdge = (use: (place: number, other: number, similarity: number) => void) => {
      for (let place = 0; place < rows.length; place += 1) {
        const start = (rows[place] as number) * k;
        for (let at = start; at < start + k; at += 1) {
          const neighbor = graph.rows[at] as number;
          const other = neighbor < 0 ? -1 : (place_of[neighbor] as number);
          if (other >= 0) use(place, other, graph.similarities[at] as number);
        }
      }
    };
    eachEdge((place, other) => {
      degrees[place] = (degrees[place] as number) + 1;
      degrees[other] = (degrees[other] as number) + 1;
    });
    const lists = Array.from(degrees, (degree) => new Int32Array(degree));
    degrees.fill(0);
    const add = (place: number, other: number) => {
      (lists[place] as Int32Array)[degrees[place] as number] = other;
      degrees[place] = (degrees[place] as number) + 1;
    };
    eachEdge((place, other, similarity) => {
      add(place, other);
      add(other, place);
      // Of a pair that is in both lists, the lower row's entry is enough; an entry more would only be skipped later.
      const mutual = place > other && holds(graph, rows[other] as number, rows[place] as number);
      if (!mutual && similarity >= this.#lowest)
        this.#heap.push(similarity, Math.min(place, other), Math.max(place, other), 2);
    });
    for (let place = 0; place < rows.length; place += 1) {
      lists[place] = (lists[place] as Int32Array).sort().filter((other, at, list) => other !== list[at - 1]);
    }
    return lists;
  }
}

function holds(graph: NeighborGraph, row: number, neighbor: number): boolean {
  for (let at = row * graph.k; at < (row + 1) * graph.k; at += 1) if (graph.rows[at] === neighbor) return true;
  return false;
}

function appended(list: Int32Array | undefined, value: number): Int32Array {
  const longer = new Int32Array((list?.length ?? 0) + 1);
  if (list) longer.set(list);
  longer[longer.length - 1] = value;
  return longer;
}
