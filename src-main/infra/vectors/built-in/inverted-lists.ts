import { type RowsByList, rowsOfList } from '../rows.ts';

/**
 * Inverted lists: the rows grouped by their nearest centre (Sivic & Zisserman 2003; Jégou et al. 2011, section IV). A search probes the few
 * lists whose centres are nearest to the query.
 */
export interface InvertedLists extends RowsByList {
  dim: number;
  /** Each of the rows 0 … count - 1 is in one list, dead rows included. */
  count: number;
  /** Number of rows when the centres were trained. */
  trainedCount: number;
  /** Unit vectors, `dim` floats each; empty when all rows are searched exactly. */
  centres: Float32Array;
  /** Number of probes for each planned number of results, by ascending k. */
  probes: readonly ProbePlan[];
}

export interface ProbePlan {
  k: number;
  lists: number;
  /** Share of the k nearest rows that these lists contain, on a random sample. */
  recall: number;
}

/** Returns the lists of an index that is searched exactly. */
export function noLists(dim: number, count: number): InvertedLists {
  const none = new Int32Array();
  return {
    dim,
    count,
    trainedCount: 0,
    centres: new Float32Array(),
    offsets: Int32Array.of(0),
    rows: none,
    probes: [],
  };
}

export function nListsOf(lists: InvertedLists): number {
  return lists.offsets.length - 1;
}

/** Returns the list of each row. */
export function listOfEachRow(lists: InvertedLists): Int32Array {
  const listOf = new Int32Array(lists.count);
  for (let list = 0; list < nListsOf(lists); list += 1) for (const row of rowsOfList(lists, list)) listOf[row] = list;
  return listOf;
}

/** Returns the number of lists to probe for `k` results. Beyond the largest planned k it grows in proportion to `k`. */
export function probesFor(lists: InvertedLists, k: number): number {
  const plan = planFor(lists, k);
  return plan ? Math.min(nListsOf(lists), Math.ceil(plan.lists * Math.max(1, k / plan.k))) : nListsOf(lists);
}

/** Expected share of the `k` nearest rows in the probed lists. */
export function recallFor(lists: InvertedLists, k: number): number {
  return planFor(lists, k)?.recall ?? 1;
}

function planFor({ probes }: InvertedLists, k: number): ProbePlan | undefined {
  return probes.find((plan) => plan.k >= k) ?? probes.at(-1);
}
