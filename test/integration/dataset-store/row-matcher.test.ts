import { beforeAll, describe, expect, it } from 'vitest';
import { type Condition, EXCLUDED, everything } from '../../../src-main/core/ports/query.ts';
import { PlanLoader } from '../../../src-main/infra/dataset-store/explore/plan-loader.ts';
import { RowMatcher } from '../../../src-main/infra/dataset-store/explore/row-matcher.ts';
import type { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { openReaders } from '../../../src-main/infra/dataset-store/thread/open-readers.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { atEnd } from '../../support/at-end.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';
import { type KnownItem, makeQueryDataset } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const N_ITEMS = 60;
const wide: Condition = { name: 'width', op: 'range', from: 500 };
const animals: Condition = { name: 'folders', op: 'one_of', value: ['animals'] };
const notExcluded: Condition = { name: 'excluded', op: 'is', value: false };

describe('a row matcher', () => {
  let items: KnownItem[];
  let tags: string[];
  let writer: GenerationWriter;
  let opened: ReturnType<typeof openReaders>;
  let matcher: RowMatcher;

  beforeAll(async () => {
    const made = await makeQueryDataset(await temporaryFolder(atEnd), 31, N_ITEMS);
    ({ items, tags, writer } = made);
    opened = openReaders(made.start);
    matcher = new RowMatcher(opened.rowFacts);
    atEnd(async () => {
      made.reader.close();
      await opened.engine.close();
      opened.db.close();
      writer.close();
    });
  });

  const rowsWhere = (holds: (item: KnownItem) => boolean) => items.filter(holds).map(({ row }) => row);
  const match = (conditions: readonly Condition[], first?: number) => [
    ...matcher.match('IMAGES', conditions, first).toRows(),
  ];

  it('finds the shown rows, and excluded ones only if a condition asks for them', () => {
    const shown = rowsWhere(({ excluded }) => !excluded);
    const excluded = rowsWhere((item) => item.excluded);
    expect(excluded.length).toBeGreaterThan(0);
    expect(match([])).toEqual(shown);
    expect(match([notExcluded])).toEqual(shown);
    expect(match([EXCLUDED])).toEqual(excluded);
    expect(match([EXCLUDED, notExcluded])).toEqual([]);
    const ofObjects = [...matcher.match('OBJECTS', [EXCLUDED]).toRows()];
    expect(ofObjects).toEqual(
      items.flatMap(({ objects }) => objects.filter((one) => one.excluded)).map(({ row }) => row),
    );
  });

  it('finds the rows that meet all conditions, from a row on', () => {
    const holds = ({ width, folder, excluded }: KnownItem) =>
      width >= 500 && (folder === 'animals' || folder === 'animals/wild') && !excluded;
    expect(match([wide, animals])).toEqual(rowsWhere(holds));
    expect(match([animals, wide])).toEqual(rowsWhere(holds));
    expect(match([wide, animals], 30)).toEqual(rowsWhere((item) => item.row >= 30 && holds(item)));
  });

  it('narrows rows to those that meet the conditions, excluded or not', () => {
    const some = RowSet.of(N_ITEMS, [0, 7, 8, 21, 55]);
    const expected = rowsWhere(({ row, width }) => some.has(row) && width >= 500);
    expect([...matcher.narrow('IMAGES', some, [wide]).toRows()]).toEqual(expected);
  });

  it('finds what an edit changed, though earlier results are cached', () => {
    const [tag = ''] = tags;
    const tagged: Condition = { name: 'tags', op: 'is', value: [tag] };
    const holds = (item: KnownItem) => item.tags.has(tag) && !item.excluded;
    expect(match([tagged])).toEqual(rowsWhere(holds));
    const added = items.find((item) => !item.tags.has(tag) && !item.excluded) as KnownItem;
    writer.subjects.edits.apply({
      kind: 'TAGS',
      details: { added: [], removed: [] },
      created_by: 'a user',
      changes: [{ kind: 'tag', tag_id: tag, holds: true, rows: { IMAGES: RowSet.of(N_ITEMS, [added.row]).words } }],
    });
    added.tags.add(tag);
    expect(match([tagged])).toEqual(rowsWhere(holds));
  });

  it('loads before a call what its conditions and scores declare', async () => {
    const loader = new PlanLoader(opened.rowFacts);
    const plan = everything('IMAGES');
    const captions: Condition = { name: 'captions', op: 'contains', value: ['red'] };
    const dark: Condition = { name: 'issues', op: 'issue', value: 'dark', mode: 'in', limits: ISSUE_LIMITS };
    const like = { name: 'like' as const, media_id: items[0]?.media_id ?? '', max_distance: null };
    const query = { op: 'phrase' as const, text: 'red', is_prefix: false };
    const words = { name: 'words' as const, query, columns: ['caption' as const], max_distance: null };
    expect(loader.isNeeded({ ...plan, conditions: [wide, animals], scores: [words] })).toBe(false);
    const plans = [
      { ...plan, conditions: [captions] },
      { ...plan, conditions: [dark] },
      { ...plan, scores: [like] },
      { ...plan, scores: [like, like] },
    ];
    for (const one of plans) {
      expect(loader.isNeeded(one)).toBe(true);
      for await (const _piece of loader.load(one));
      for await (const _piece of loader.loadLater(one));
    }
  });
});
