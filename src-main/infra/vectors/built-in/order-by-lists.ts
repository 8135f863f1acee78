import { InnerProducts } from '../neighbors/inner-products.ts';
import { rowsOfList } from '../rows.ts';
import { type InvertedLists, nListsOf } from './inverted-lists.ts';

/** Returns all rows list by list, each list followed by that with the nearest centre among those that are left: similar rows are near each other. */
export async function orderByLists(
  lists: InvertedLists,
  { threads, signal }: { threads: number; signal?: AbortSignal | undefined },
): Promise<Int32Array> {
  const { dim, centres } = lists;
  const order = new Int32Array(lists.count);
  const isLeft = new Uint8Array(nListsOf(lists)).fill(1);
  const products = await InnerProducts.open(dim, threads);
  try {
    let n = 0;
    for (let list = 0; list >= 0; ) {
      signal?.throwIfAborted();
      const rows = rowsOfList(lists, list);
      order.set(rows, n);
      n += rows.length;
      isLeft[list] = 0;
      const likeness = await products.of(centres.subarray(list * dim, (list + 1) * dim), centres);
      list = -1;
      for (let other = 0; other < likeness.length; other += 1) {
        if (isLeft[other] === 0) continue;
        if (list < 0 || (likeness[other] as number) > (likeness[list] as number)) list = other;
      }
    }
  } finally {
    await products.close();
  }
  return order;
}
