import { beforeAll, describe, expect, it } from 'vitest';
import type { RowBits } from '../../../src-main/core/ports/edits.ts';
import { type Condition, EXCLUDED, everything, type QueryPlan } from '../../../src-main/core/ports/query.ts';
import type { GenerationReader } from '../../../src-main/infra/dataset-store/thread/generation-reader.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { atEnd } from '../../support/at-end.ts';
import { type KnownItem, makeQueryDataset, QUERY_DIM } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const N_ITEMS = 60;
const wide: Condition = { name: 'width', op: 'range', from: 500 };

describe('a selection of items', () => {
  let items: KnownItem[];
  let explore: GenerationReader['subjects']['explore'];

  beforeAll(async () => {
    const made = await makeQueryDataset(await temporaryFolder(atEnd), 59, N_ITEMS);
    items = made.items;
    explore = made.reader.subjects.explore;
    atEnd(() => {
      made.reader.close();
      made.writer.close();
    });
  });

  const bitsOf = (bits: RowBits | null | undefined) => {
    const words = bits ?? new Uint32Array();
    return Array.from({ length: words.length * 32 }, (_, row) => row).filter(
      (row) => ((words[row >> 5] as number) >>> (row & 31)) & 1,
    );
  };
  const rowsWhere = (holds: (item: KnownItem) => boolean) => items.filter(holds).map(({ row }) => row);
  const idOf = (row: number) => items[row]?.media_id ?? '';
  const wideOnes: QueryPlan = { ...everything('IMAGES'), conditions: [wide] };

  it('has the items of its ids, excluded or not, that meet the conditions', async () => {
    const mediaIds = [3, 5, 8, 13, 21, 34, 55].map(idOf);
    const chosen = ({ media_id }: KnownItem) => mediaIds.includes(media_id);
    expect(bitsOf((await explore.select([{ media_ids: mediaIds }], [])).IMAGES)).toEqual(rowsWhere(chosen));
    expect(bitsOf((await explore.select([{ media_ids: mediaIds }], [EXCLUDED])).IMAGES)).toEqual(
      rowsWhere((item) => chosen(item) && item.excluded),
    );
    const unknown = explore.select([{ media_ids: [idOf(1), 'nobody'] }], []);
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has the matches of its queries without excluded ones, by query, cluster and id together', async () => {
    const isWide = ({ width, excluded }: KnownItem) => width >= 500 && !excluded;
    const [left = -1] = rowsWhere(isWide);
    const part = { plan: wideOnes, exclude_media_ids: [idOf(left)] };
    const [narrow = -1] = rowsWhere((item) => !isWide(item));
    const selected = await explore.select([part, { media_ids: [idOf(narrow)] }], []);
    expect(bitsOf(selected.IMAGES)).toEqual(
      rowsWhere((item) => item.row === narrow || (isWide(item) && item.row !== left)),
    );
    const { clusters } = await explore.listClusters({ plan: wideOnes, level: 4, page_number: 0 });
    const ofClusters = await explore.select(
      clusters.map(({ cluster_id }) => ({ plan: wideOnes, cluster_id, exclude_media_ids: [] })),
      [],
    );
    expect(bitsOf(ofClusters.IMAGES)).toEqual(rowsWhere(isWide));
    const id = '00000000-0000-4000-8000-000000000000';
    const unknown = explore.select([{ plan: wideOnes, cluster_id: id, exclude_media_ids: [] }], []);
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has the objects of its images, or of its objects only those that were chosen', async () => {
    const withObjects = items.filter(({ objects }) => objects.length > 1);
    const [first, second] = withObjects as [KnownItem, KnownItem];
    const page = await explore.choosePage(
      { plan: everything('OBJECTS'), cluster_id: undefined },
      { offset: 0, limit: 3 },
    );
    const shown = items.flatMap((item) => item.objects.filter(({ excluded }) => !excluded).map(({ row }) => row));
    expect(bitsOf(page.objects)).toEqual(shown.slice(0, 3));
    const chosen = await explore.chooseItems([{ media_ids: [first.media_id, second.media_id] }]);
    expect(chosen).toMatchObject({ objects: null, n_items: 2 });
    expect(bitsOf(chosen.items)).toEqual([first.row, second.row]);
  });

  it('has a page of the nearest items of a query with a score, otherwise in order of row', async () => {
    const anchor = items.find(({ excluded }) => !excluded) as KnownItem;
    const page = { offset: 2, limit: 4 };
    const byRow = await explore.choosePage({ plan: wideOnes, cluster_id: undefined }, page);
    const isWide = ({ width, excluded }: KnownItem) => width >= 500 && !excluded;
    expect(bitsOf(byRow.items)).toEqual(rowsWhere(isWide).slice(2, 6));
    const like = { name: 'like' as const, media_id: anchor.media_id, max_distance: null };
    const nearest = await explore.choosePage({ plan: { ...wideOnes, scores: [like] }, cluster_id: undefined }, page);
    const similarity = ({ vector }: KnownItem) => innerProduct(anchor.vector, 0, vector, 0, QUERY_DIM);
    const ranked = items.filter(isWide).sort((a, b) => similarity(b) - similarity(a));
    expect(bitsOf(nearest.items)).toEqual(
      ranked
        .slice(2, 6)
        .map(({ row }) => row)
        .sort((a, b) => a - b),
    );
  });
});
