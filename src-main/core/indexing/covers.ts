import type { StoreReads } from '../ports/dataset-store.ts';
import { everything } from '../ports/query.ts';

/** Level of Explore whose largest clusters provide the four images of a dataset's card. */
const COVER_LEVEL = 3;
const COVER_IMAGES = 4;

/** Returns media ids for a dataset's cover: the most typical items of its largest clusters. */
export async function coverImages(store: StoreReads): Promise<string[]> {
  const { clusters } = await store.explore.listClusters({
    plan: everything('IMAGES'),
    level: COVER_LEVEL,
    page_number: 0,
  });
  const medoids = clusters.flatMap((cluster) => cluster.previews[0]?.media_id ?? []);
  const others = clusters.flatMap((cluster) => cluster.previews.slice(1).map((preview) => preview.media_id));
  return [...medoids, ...others].slice(0, COVER_IMAGES);
}
