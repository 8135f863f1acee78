import { beforeAll, describe, expect, it } from 'vitest';
import type { Score } from '../../../src-main/core/ports/query.ts';
import type { RankedRows } from '../../../src-main/infra/dataset-store/explore/ranked-rows.ts';
import { RowRanker } from '../../../src-main/infra/dataset-store/explore/row-ranker.ts';
import { openReaders } from '../../../src-main/infra/dataset-store/thread/open-readers.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { atEnd } from '../../support/at-end.ts';
import { type KnownItem, makeQueryDataset, QUERY_DIM } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const N_ITEMS = 60;

/** Cosine similarity of two normalised vectors. */
const similarity = (a: KnownItem, b: KnownItem) => innerProduct(a.vector, 0, b.vector, 0, QUERY_DIM);
const like = ({ media_id }: KnownItem, maxDistance: number | null = null): Score => ({
  name: 'like',
  media_id,
  max_distance: maxDistance,
});

describe('a row ranker', () => {
  let items: KnownItem[];
  let ranker: RowRanker;
  let some: RowSet;
  let [a, b]: KnownItem[] = [];

  beforeAll(async () => {
    const made = await makeQueryDataset(await temporaryFolder(atEnd), 47, N_ITEMS);
    const opened = openReaders(made.start);
    ({ items } = made);
    [a, b] = items;
    ranker = new RowRanker(opened.rowFacts);
    some = RowSet.where(N_ITEMS, (row) => row % 4 !== 3);
    atEnd(async () => {
      made.reader.close();
      await opened.engine.close();
      opened.db.close();
      made.writer.close();
    });
  });

  /** Ranks the required rows by a function of the expected items, best first. */
  function expected(of: (item: KnownItem) => number, above = Number.NEGATIVE_INFINITY) {
    return items
      .filter((item) => some.has(item.row) && of(item) >= above)
      .map((item) => ({ row: item.row, similarity: of(item) }))
      .sort((one, other) => other.similarity - one.similarity);
  }

  function expectRanked(found: RankedRows, required: ReturnType<typeof expected>): void {
    expect([...found.rows]).toEqual(required.map(({ row }) => row));
    for (const [at, one] of required.entries()) expect(found.similarities[at]).toBeCloseTo(one.similarity, 5);
  }

  it('ranks rows by their similarity to an item, which is equal to itself', async () => {
    if (!a) throw new Error('there are items');
    const anchor = a;
    const found = await ranker.rank('IMAGES', [like(anchor)], some, N_ITEMS);
    expectRanked(
      found,
      expected((item) => similarity(anchor, item)),
    );
    expect(found.similarities[0]).toBe(1);
    const best = await ranker.rank('IMAGES', [like(anchor)], some, 5);
    expect([...best.rows]).toEqual([...found.rows].slice(0, 5));
  });

  it('leaves out rows that are further away than a limit', async () => {
    if (!a) throw new Error('there are items');
    const anchor = a;
    expectRanked(
      await ranker.rank('IMAGES', [like(anchor, 0.9)], some, N_ITEMS),
      expected((item) => similarity(anchor, item), 0.1),
    );
  });

  it('ranks by the worst of several scores, all of which must hold', async () => {
    if (!a || !b) throw new Error('there are items');
    const anchors = [a, b] as const;
    const worst = (item: KnownItem) => Math.min(...anchors.map((anchor) => similarity(anchor, item)));
    expectRanked(
      await ranker.rank(
        'IMAGES',
        anchors.map((anchor) => like(anchor)),
        some,
        7,
      ),
      expected(worst).slice(0, 7),
    );
    expectRanked(
      await ranker.rank(
        'IMAGES',
        anchors.map((anchor) => like(anchor, 1)),
        some,
        N_ITEMS,
      ),
      expected(worst, 0),
    );
  });

  it('finds the rows with words, the best at distance 0 and the others at most at 0.4', async () => {
    const phrase = (text: string) => ({ op: 'phrase' as const, text, is_prefix: false });
    const query = { op: 'or' as const, of: [phrase('red'), phrase('old')] };
    const words: Score = { name: 'words', query, columns: ['caption'], max_distance: null };
    const found = await ranker.rank('IMAGES', [words], some, N_ITEMS);
    const required = items.filter(({ row, caption }) => some.has(row) && /\b(red|old)\b/.test(caption ?? ''));
    expect(required.length).toBeGreaterThan(0);
    expect([...found.rows]).toEqual(required.map(({ row }) => row));
    expect(Math.min(...found.similarities)).toBeGreaterThanOrEqual(0.6 - 1e-6);
    const all = await ranker.rank('IMAGES', [words], new RowSet(N_ITEMS).not(), N_ITEMS);
    expect(Math.max(...all.similarities)).toBe(1);
  });

  it('refuses queries that rows cannot be compared with', async () => {
    const unknown: Score = { name: 'like', media_id: 'nobody', max_distance: null };
    await expect(ranker.rank('IMAGES', [unknown], some, 5)).rejects.toMatchObject({ code: 'not_found' });
    const vector = { space: 'looks' as const, encoder_id: 'another encoder', vector: new Float32Array(QUERY_DIM) };
    const foreign: Score = { name: 'like_image', vectors: [vector], content_hash: null, max_distance: null };
    await expect(ranker.rank('IMAGES', [foreign, unknown], some, 5)).rejects.toMatchObject({ code: 'invalid_request' });
    const caption: Score = {
      name: 'text',
      of: 'captions',
      vector: new Float32Array(QUERY_DIM),
      least_similarity: 0,
      cut_off: { similarity: 0.4 },
    };
    const objects = RowSet.of(1, [0]);
    await expect(ranker.rank('OBJECTS', [caption], objects, 5)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
