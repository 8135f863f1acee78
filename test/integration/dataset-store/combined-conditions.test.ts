import { beforeAll, describe, expect, it } from 'vitest';
import { type Condition, EXCLUDED, everything, type QueryPlan } from '../../../src-main/core/ports/query.ts';
import type { GenerationReader } from '../../../src-main/infra/dataset-store/thread/generation-reader.ts';
import type { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { atEnd } from '../../support/at-end.ts';
import { type KnownItem, makeQueryDataset, QUERY_DIM } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const N_ITEMS = 200;

/** Cosine similarity of two normalised vectors. */
const similarity = (a: Float32Array, b: Float32Array) => innerProduct(a, 0, b, 0, QUERY_DIM);

/** A condition, and the same condition on the expected properties of an item. */
interface Known {
  condition: Condition;
  holds: (item: KnownItem) => boolean;
}

describe('conditions and scores together', () => {
  let items: KnownItem[];
  let tags: string[];
  let reader: GenerationReader;
  let writer: GenerationWriter;

  beforeAll(async () => {
    ({ reader, writer, items, tags } = await makeQueryDataset(await temporaryFolder(atEnd), 23, N_ITEMS));
    atEnd(() => {
      reader.close();
      writer.close();
    });
  });

  const known = (): Known[] => {
    const [tag = ''] = tags;
    const pattern = (name: 'folders' | 'files' | 'captions', value: string): Condition => ({
      name,
      op: 'contains',
      value: [value],
    });
    return [
      {
        condition: { name: 'labels', op: 'one_of', value: ['cat', 'dog'] },
        holds: ({ labels }) => labels.has('cat') || labels.has('dog'),
      },
      {
        condition: { name: 'labels', op: 'is_not', value: ['person', 'car'] },
        holds: ({ labels }) => !(labels.has('person') && labels.has('car')),
      },
      { condition: { name: 'tags', op: 'is', value: [tag] }, holds: (item) => item.tags.has(tag) },
      { condition: { name: 'tags', op: 'not_one_of', value: tags }, holds: (item) => item.tags.size === 0 },
      { condition: { name: 'width', op: 'range', from: 300 }, holds: ({ width }) => width >= 300 },
      { condition: { name: 'height', op: 'range', to: 600 }, holds: ({ height }) => height <= 600 },
      { condition: pattern('folders', 'animals'), holds: ({ folder }) => folder.includes('animals') },
      { condition: pattern('files', 'IMG'), holds: ({ file }) => file.includes('IMG') },
      { condition: pattern('captions', 'red'), holds: ({ caption }) => caption?.includes('red') ?? false },
      {
        condition: {
          name: 'media',
          op: 'one_of',
          value: items.filter(({ row }) => row % 3 === 0).map(({ media_id }) => media_id),
        },
        holds: ({ row }) => row % 3 === 0,
      },
      { condition: EXCLUDED, holds: ({ excluded }) => excluded },
      { condition: { name: 'excluded', op: 'is', value: false }, holds: ({ excluded }) => !excluded },
    ];
  };

  /** Returns the ids of a plan's matches in the default order of lists. */
  async function idsOf(plan: Partial<QueryPlan>): Promise<string[]> {
    const query = { plan: { ...everything('IMAGES'), ...plan }, sort: undefined, descending: false };
    const { items: found, total } = await reader.subjects.explore.list({ ...query, offset: 0, limit: N_ITEMS });
    expect(found).toHaveLength(total);
    return found.map(({ media_id }) => media_id);
  }

  /** Returns the ids that the expected properties give. Excluded items match only if a condition asks for excluded items. */
  function expectedIds(of: readonly Known[], first = 0): string[] {
    const isOfExcluded = of.some(({ condition }) => condition === EXCLUDED);
    return items
      .filter((item) => item.row >= first && (isOfExcluded || !item.excluded) && of.every(({ holds }) => holds(item)))
      .map(({ media_id }) => media_id);
  }

  const sorted = (ids: readonly string[]) => [...ids].sort();

  async function expectAllPairs(): Promise<void> {
    const all = known();
    for (const a of all) {
      for (const b of all) {
        const conditions = [a.condition, b.condition];
        expect(sorted(await idsOf({ conditions })), JSON.stringify(conditions)).toEqual(sorted(expectedIds([a, b])));
      }
    }
  }

  it('finds the rows that meet every condition of each pair', async () => {
    await expectAllPairs();
  });

  it('finds the same when only the last rows are requested', async () => {
    for (const one of known()) {
      const found = await idsOf({ conditions: [one.condition], from_row: 120 });
      expect(sorted(found), JSON.stringify(one.condition)).toEqual(sorted(expectedIds([one], 120)));
    }
  });

  it('ranks the rows that meet the conditions by their similarity', async () => {
    const anchor = items.find(({ excluded }) => !excluded) as KnownItem;
    const like = { name: 'like' as const, media_id: anchor.media_id, max_distance: null };
    for (const one of known()) {
      const allowed = new Set(expectedIds([one]));
      const expected = items
        .filter(({ media_id }) => allowed.has(media_id))
        .map(({ media_id, vector }) => ({ media_id, cosine: similarity(vector, anchor.vector) }))
        .sort((a, b) => b.cosine - a.cosine)
        .map(({ media_id }) => media_id);
      expect(await idsOf({ conditions: [one.condition], scores: [like] })).toEqual(expected);
    }
  });

  it('ranks by the worst of several scores', async () => {
    const [a, b] = items.filter(({ excluded }) => !excluded) as [KnownItem, KnownItem];
    const scores = [a, b].map(({ media_id }) => ({ name: 'like' as const, media_id, max_distance: null }));
    const expected = items
      .filter(({ excluded }) => !excluded)
      .map(({ media_id, vector }) => ({
        media_id,
        cosine: Math.min(similarity(vector, a.vector), similarity(vector, b.vector)),
      }))
      .sort((one, other) => other.cosine - one.cosine)
      .map(({ media_id }) => media_id);
    expect(await idsOf({ scores })).toEqual(expected);
  });

  it('finds the changes of later edits, although conditions are cached', async () => {
    const [tag = ''] = tags;
    const changed = items.filter(({ row }) => row % 5 === 0);
    const rows = {
      IMAGES: RowSet.of(
        N_ITEMS,
        changed.map(({ row }) => row),
      ).words,
    };
    writer.subjects.edits.apply({
      kind: 'TAGS',
      details: { added: [], removed: [] },
      created_by: 'a user',
      changes: [
        { kind: 'tag', tag_id: tag, holds: true, rows },
        { kind: 'label', label: 'cat', holds: false, rows },
      ],
    });
    for (const item of changed) {
      item.tags.add(tag);
      item.labels.delete('cat');
    }
    await expectAllPairs();
  });
});
