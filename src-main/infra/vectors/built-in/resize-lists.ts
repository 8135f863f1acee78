import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { InnerProducts } from '../neighbors/inner-products.ts';
import { groupByList } from '../rows.ts';
import { type InvertedLists, listOfEachRow, nListsOf } from './inverted-lists.ts';
import { nearestCentres } from './list-centres.ts';

/**
 * Changes lists to fewer or more rows. New rows are added to the list of their nearest centre.
 * @param unplaced Known rows that had no vector when they were assigned to a list; they are assigned again.
 */
export async function resizeLists(
  lists: InvertedLists,
  unplaced: Int32Array,
  options: { vectors: RowVectors; count: number; threads: number; signal?: AbortSignal | undefined },
): Promise<InvertedLists> {
  const { count, vectors, threads, signal } = options;
  if (count === lists.count && unplaced.length === 0) return lists;
  const { dim, centres } = lists;
  const listOf = new Int32Array(count);
  listOf.set(listOfEachRow(lists).subarray(0, count));
  const everyRow = Int32Array.from(listOf.keys());
  const isUnplaced = new Set(unplaced);
  const rows = everyRow.filter((row) => row >= lists.count || isUnplaced.has(row));
  const products = await InnerProducts.open(dim, threads);
  try {
    const homes = await nearestCentres({ vectors, rows, centres, each: 1, products, signal });
    for (const [at, row] of rows.entries()) listOf[row] = homes[at] as number;
  } finally {
    await products.close();
  }
  return { ...lists, count, ...groupByList(listOf, everyRow, nListsOf(lists)) };
}
