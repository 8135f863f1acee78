import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FieldValue } from '../../../src-main/contract/schemas/custom-metadata.ts';
import { ITEM_SORTS } from '../../../src-main/contract/schemas/facets.ts';
import { ISSUES } from '../../../src-main/contract/schemas/issues.ts';
import { type FacetCounts, MAX_SAMPLED } from '../../../src-main/core/ports/explore.ts';
import {
  type Condition,
  EXCLUDED,
  everything,
  type QueryPlan,
  TEXT_COLUMNS,
  type TextColumn,
  UNLABELED,
  UNTAGGED,
  type WordQuery,
} from '../../../src-main/core/ports/query.ts';
import type { GenerationReader } from '../../../src-main/infra/dataset-store/thread/generation-reader.ts';
import type { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { projectRows } from '../../../src-main/infra/projection/project-rows.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { atEnd } from '../../support/at-end.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';
import {
  FOLDERS,
  type KnownItem,
  LABELS,
  makeQueryDataset,
  OPTIONS,
  QUERY_DIM,
  TAGS,
  WORDS,
} from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Test of the value of a custom field. */
type MetadataTest<Of = Condition & { name: 'metadata' }> = Of extends Condition ? Omit<Of, 'name' | 'field'> : never;

const LEVEL = 4;
/** Orders that need no limits of issues and no field. */
const SORTS = ITEM_SORTS.filter((sort) => ![...ISSUES, 'score', 'metadata', 'issues'].some((other) => other === sort));
let items: KnownItem[];
let tags: string[];
const labels = fc.uniqueArray(fc.constantFrom(...LABELS, UNLABELED, 'nothing'), { minLength: 1, maxLength: 3 });
const pixels = fc.record({ from: fc.nat(1000), to: fc.nat(1000) }, { requiredKeys: [] });
const pattern = (words: readonly string[]) =>
  fc.record({
    op: fc.constantFrom('contains' as const, 'starts_with' as const, 'ends_with' as const, 'one_of' as const),
    value: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }),
  });
const phrase = fc
  .constantFrom(
    ...LABELS,
    ...WORDS,
    'thing',
    'red old',
    'OLD THING',
    'animals',
    'wild',
    'streets',
    'img',
    '7',
    'jpg',
    'nothing',
  )
  .map((text): WordQuery => ({ op: 'phrase', text, is_prefix: false }));
const { words } = fc.letrec<{ words: WordQuery; several: WordQuery; not: WordQuery }>((tie) => ({
  words: fc.oneof({ maxDepth: 3 }, phrase, tie('several'), tie('not')),
  several: fc.record({
    op: fc.constantFrom('and' as const, 'or' as const),
    of: fc.array(tie('words'), { maxLength: 3 }),
  }),
  not: tie('words').map((of) => ({ op: 'not' as const, of })),
}));
const score = fc.constantFrom(-1, 0, 0.5, 2, 2.5, 100);
const moment = fc.constantFrom('2011-03-05T00:00:00.000Z', '2016-01-01T00:00:00.000Z', '2020-03-01T00:00:00.000Z');
const between = <T>(bound: fc.Arbitrary<T>) =>
  fc.record({ op: fc.constant('range' as const), from: bound, to: bound }, { requiredKeys: ['op'] });
const ofField = (field: string, test: fc.Arbitrary<MetadataTest>) =>
  test.map((of) => ({ name: 'metadata' as const, field, ...of }));
const several = <T>(values: fc.Arbitrary<T>) => fc.uniqueArray(values, { minLength: 1, maxLength: 2 });
const ofTexts = fc.record({
  op: fc.constantFrom('is' as const, 'contains' as const, 'one_of' as const),
  value: several(fc.constantFrom(...WORDS, 'RED', 'old red', 'https://example.org/red%20old')),
});
const ofOptions = fc.record({
  op: fc.constantFrom('is' as const, 'one_of' as const),
  value: several(fc.constantFrom(...OPTIONS, 'none')),
});
const ofNumbers = fc.oneof(
  fc.record({ op: fc.constantFrom('gt' as const, 'lt' as const, 'eq' as const), value: score }),
  fc.record({ op: fc.constantFrom('is' as const, 'one_of' as const), value: several(score) }),
  between(score),
);
const ofMetadata: fc.Arbitrary<Condition> = fc.oneof(
  ofField('note', ofTexts),
  ofField('page', ofTexts),
  ofField('light', ofOptions),
  ofField('lights', ofOptions),
  ofField('score', ofNumbers),
  ofField('taken', between(moment)),
);
/** Corners of the square whose diagonal runs between two points. */
const rectangle = (from: number, to: number): [number, number][] => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
];
const memberOf = fc.constantFrom('is' as const, 'is_not' as const, 'one_of' as const, 'not_one_of' as const);
/** Indexes of tags. The index past the last one stands for items without tags. */
const anyTags = fc.uniqueArray(fc.nat(TAGS.length), { minLength: 1, maxLength: 2 });
const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ op: memberOf, value: anyTags }).map(({ op, value }) => ({
    name: 'tags' as const,
    op,
    value: value.map((at) => tags[at] ?? UNTAGGED),
  })),
  ofMetadata,
  fc.record(
    {
      name: fc.constant('reviewed' as const),
      op: fc.constantFrom('is' as const, 'is_not' as const),
      value: fc.constantFrom('blur', 'dark'),
      verdict: fc.constantFrom('accepted' as const, 'rejected' as const),
    },
    { requiredKeys: ['name', 'op', 'value'] },
  ),
  fc.boolean().map((value) => ({ name: 'excluded' as const, op: 'is' as const, value })),
  fc.uniqueArray(fc.nat(59), { minLength: 1 }).map((some) => ({
    name: 'media' as const,
    op: 'one_of' as const,
    value: some.map((at) => items[at]?.media_id ?? ''),
  })),
  fc.record({
    name: fc.constant('labels' as const),
    op: memberOf,
    value: labels,
  }),
  pattern([...FOLDERS, 'wild', 'ANIMALS', 'str']).map((of) => ({ name: 'folders' as const, ...of })),
  pattern(['img', 'photo', '_1', '7.jpg', 'IMG_3.jpg']).map((of) => ({ name: 'files' as const, ...of })),
  pattern(['a red', 'thing', ...WORDS, 'a old old thing']).map((of) => ({ name: 'captions' as const, ...of })),
  pixels.map((of) => ({ name: 'width' as const, op: 'range' as const, ...of })),
  pixels.map((of) => ({ name: 'height' as const, op: 'range' as const, ...of })),
  fc
    .constantFrom('image' as const, 'video_frame' as const)
    .map((type) => ({ name: 'media_type' as const, op: 'one_of' as const, value: [type] })),
  fc
    .constantFrom('1999-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z')
    .map((from) => ({ name: 'created' as const, op: 'range' as const, from })),
  fc
    .constantFrom('1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.002Z')
    .map((from) => ({ name: 'taken' as const, op: 'range' as const, from })),
  fc
    .double({ min: 0, max: 1, noNaN: true })
    .map((value) => ({ name: 'uniqueness' as const, op: 'uniqueness' as const, value })),
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })).map(([a, b]) => ({
    name: 'map' as const,
    op: 'inside' as const,
    value: rectangle(Math.min(a, b), Math.max(a, b)),
  })),
  fc.record(
    {
      name: fc.constant('issues' as const),
      op: fc.constant('issue' as const),
      value: fc.constantFrom('dark' as const, 'odd_aspect_ratio' as const),
      mode: fc.constantFrom('in' as const, 'out' as const),
      confidence_min: fc.double({ min: 0, max: 1, noNaN: true }),
      confidence_max: fc.double({ min: 0, max: 1, noNaN: true }),
      limits: fc.constant(ISSUE_LIMITS),
    },
    { requiredKeys: ['name', 'op', 'value', 'mode', 'limits'] },
  ),
  fc.record({
    name: fc.constant('words' as const),
    query: words,
    columns: fc.uniqueArray(fc.constantFrom<TextColumn>(...TEXT_COLUMNS), { minLength: 1 }),
  }),
);
const ofIncluded = anyCondition.filter(({ name }) => name !== 'excluded');

describe('a plan', () => {
  let reader: GenerationReader;
  let writer: GenerationWriter;
  const uniqueness = new Map<string, number>();
  const places = new Map<string, { x: number; y: number }>();

  beforeAll(async () => {
    ({ reader, writer, items, tags } = await makeQueryDataset(await temporaryFolder(atEnd), 11));
    for (const request of writer.subjects.map.prepareProjections()) {
      await projectRows(request, {});
      writer.subjects.map.publishProjection(request);
    }
    const window = { x: 0, y: 0, side: 1 };
    for (const conditions of [[], [EXCLUDED]]) {
      const plan = { ...everything('IMAGES'), conditions };
      const found = await reader.subjects.map.listItems({ plan, window, limit: 500 });
      for (const { media_id, x, y } of found.items) places.set(media_id, { x, y });
    }
    for (const { media_id } of items)
      uniqueness.set(media_id, reader.subjects.items.find(media_id)?.uniqueness_score ?? 0);
    atEnd(() => {
      reader.close();
      writer.close();
    });
  });

  /** Returns the ids of all results of a plan, cluster by cluster, and the reported total. */
  async function find(plan: QueryPlan): Promise<{ ids: string[]; total: number }> {
    const { clusters, total_items } = await reader.subjects.explore.listClusters({
      plan,
      level: LEVEL,
      page_number: 0,
    });
    const ids: string[] = [];
    for (const { cluster_id } of clusters) {
      const members = await reader.subjects.explore.findCluster({ cluster_id, plan, offset: 0, limit: 1000 });
      ids.push(...(members?.items ?? []).map(({ object, media_id }) => object?.object_id ?? media_id));
    }
    return { ids: ids.sort(), total: total_items };
  }

  /** Without the `excluded` condition, no excluded item or object matches. */
  function fits(conditions: readonly Condition[], item: KnownItem, object?: KnownItem['objects'][number]): boolean {
    const excluded = object?.excluded ?? item.excluded;
    if (excluded !== conditions.some((one) => one.name === 'excluded' && one.value)) return false;
    return conditions.every((condition) => holds(condition, item, object));
  }

  function holds(condition: Condition, item: KnownItem, object?: KnownItem['objects'][number]): boolean {
    switch (condition.name) {
      case 'labels':
        return isMet(condition, object?.labels ?? item.labels, UNLABELED);
      case 'tags':
        return isMet(condition, new Set([...item.tags, ...(object?.tags ?? [])]), UNTAGGED);
      case 'metadata':
        return hasValue(condition, item.custom.get(condition.field));
      case 'excluded':
        return condition.value === (object?.excluded ?? item.excluded);
      case 'reviewed': {
        const verdict = (object ?? item).verdict;
        const isMeant = condition.value === 'blur' && verdict !== null && (condition.verdict ?? verdict) === verdict;
        return isMeant === (condition.op === 'is');
      }
      case 'media':
        return object === undefined && condition.value.includes(item.media_id);
      case 'folders':
        return condition.op === 'one_of'
          ? condition.value.some((path) => `${item.folder}/`.toLowerCase().startsWith(`${path}/`.toLowerCase()))
          : matches(condition, item.folder);
      case 'files':
        return matches(condition, item.file);
      case 'captions':
        return item.caption !== null && matches(condition, item.caption);
      case 'width':
      case 'height': {
        const value = item[condition.name];
        return value >= (condition.from ?? 0) && value <= (condition.to ?? 9999);
      }
      case 'media_type':
        return condition.value.includes('image');
      case 'created':
        return (condition.from ?? '') < '2500';
      case 'taken':
        return (condition.from ?? '') < '1970-01-01T00:00:00.002Z';
      case 'uniqueness':
        return (uniqueness.get(item.media_id) ?? 0) > condition.value;
      case 'issues': {
        const ratio = Math.min(item.width, item.height) / Math.max(item.width, item.height);
        const by =
          condition.value === 'dark' ? item.p95_luma / ISSUE_LIMITS.dark : ratio / ISSUE_LIMITS.odd_aspect_ratio;
        const confidence = 1 / (1 + by ** 3);
        const { confidence_max: to = 1, confidence_min: from = to < 0.5 ? 0 : 0.5, mode } = condition;
        return (confidence >= from && confidence <= to) === (mode === 'in');
      }
      case 'map': {
        const { x, y } = places.get(item.media_id) ?? { x: Number.NaN, y: Number.NaN };
        const [from, to] = [condition.value[0]?.[0] ?? 0, condition.value[2]?.[0] ?? 0];
        return object === undefined && Math.min(x, y) >= from && Math.max(x, y) <= to;
      }
      case 'clusters':
      case 'duplicates':
      case 'agreement':
      case 'confidence':
        return false;
      case 'object_confidence':
        return true;
      case 'words':
        return has(condition.query, wordsOf(item, object ? object.labels : item.labels, condition.columns));
    }
  }

  it('finds the same items as a check of each item, for any conditions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCondition, { maxLength: 3 }), async (conditions) => {
        const plan = { ...everything('IMAGES'), conditions };
        const expected = items.filter((item) => fits(conditions, item));
        const found = await find(plan);
        expect(found.ids).toEqual(expected.map(({ media_id }) => media_id).sort());
        expect(found.total).toBe(expected.length);
        const counts = new Map<string, number>();
        for (const item of expected) for (const label of item.labels) counts.set(label, (counts.get(label) ?? 0) + 1);
        expect(new Map(reader.subjects.explore.listLabels(plan, 100).map(({ name, count }) => [name, count]))).toEqual(
          counts,
        );
      }),
      { numRuns: 25 },
    );
  });

  it('counts the same values as a check of each item', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCondition, { maxLength: 2 }), async (conditions) => {
        const expected = items.filter((item) => fits(conditions, item));
        const plan = { ...everything('IMAGES'), conditions };
        const counted = (await reader.call('explore.countFacets', [plan, ISSUE_LIMITS])) as FacetCounts;
        const { total, n_unlabeled, n_untagged, ...lists } = counted;
        expect(total).toBe(expected.length);
        expect(n_unlabeled).toBe(expected.filter(({ labels: has }) => has.size === 0).length);
        expect(n_untagged).toBe(expected.filter(({ tags: has }) => has.size === 0).length);
        const asMap = (values: { name: string; count: number }[]) => new Map(values.map((of) => [of.name, of.count]));
        expect(asMap(lists.labels)).toEqual(countsOf(expected.flatMap(({ labels: has }) => [...has])));
        expect(new Map(lists.tags.map(({ tag_id, count }) => [tag_id, count]))).toEqual(
          countsOf(expected.flatMap(({ tags: has }) => [...has])),
        );
        expect(asMap(lists.folders)).toEqual(countsOf(expected.map(({ folder }) => folder)));
        expect(asMap(lists.media_types)).toEqual(countsOf(expected.map(() => 'image')));
        for (const { field_name, values, ranges } of lists.metadata) {
          const has = expected.flatMap((item) => item.custom.get(field_name) ?? []);
          const unique = expected.flatMap((item) => [...new Set([item.custom.get(field_name) ?? []].flat())]);
          if (values.length > 0) expect(asMap(values)).toEqual(countsOf(unique.map(String)));
          for (const { from, to, count } of ranges) {
            expect(count).toBe(has.filter((value) => value >= from && value <= to).length);
          }
          expect(values.length + ranges.length > 0).toBe(has.length > 0);
        }
        for (const { from, to, count } of lists.widths) {
          expect(count).toBe(expected.filter(({ width }) => width >= from && width <= to).length);
        }
        expect(lists.heights.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
        expect(lists.created.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
        expect(lists.taken.map(({ count }) => count)).toEqual(expected.length === 0 ? [] : [expected.length]);
      }),
      { numRuns: 25 },
    );
  });

  it('lists its matches in the requested order, page by page', async () => {
    const keys: Record<string, (item: KnownItem) => number | string> = {
      name: ({ folder, file }) => (folder === '' ? file : `${folder}/${file}`),
      size: ({ width, height }) => width * height,
      width: ({ width }) => width,
      height: ({ height }) => height,
      file_name: ({ file }) => file.toLowerCase(),
      uniqueness: ({ media_id }) => uniqueness.get(media_id) ?? 0,
      similarity: () => 0,
      created: () => 0,
      quality: () => 0,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCondition, { maxLength: 2 }),
        fc.constantFrom(...SORTS),
        fc.boolean(),
        async (conditions, sort, descending) => {
          const plan = { ...everything('IMAGES'), conditions };
          const expected = items.filter((item) => fits(conditions, item));
          const listed: string[] = [];
          for (let offset = 0; offset < expected.length + 7; offset += 7) {
            const page = await reader.subjects.explore.list({ plan, sort, descending, offset, limit: 7 });
            expect(page.total).toBe(expected.length);
            listed.push(...page.items.map(({ media_id }) => media_id));
          }
          expect(listed.toSorted()).toEqual(expected.map(({ media_id }) => media_id).sort());
          const found = listed.map(
            (id) => keys[sort]?.(items.find(({ media_id }) => media_id === id) as KnownItem) ?? 0,
          );
          const ascending = found.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
          expect(found).toEqual(descending ? ascending.reverse() : ascending);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('lists items by a custom field, those without a value last in both directions', async () => {
    const plan = everything('IMAGES');
    const valueIn = (id: string, field: string) => items.find(({ media_id }) => media_id === id)?.custom.get(field);
    for (const field of ['score', 'note', 'taken']) {
      for (const descending of [false, true]) {
        const page = { sort: 'metadata' as const, field, descending, offset: 0, limit: items.length };
        const { items: listed } = await reader.subjects.explore.list({ plan, ...page });
        const found = listed.map(({ media_id }) => valueIn(media_id, field));
        const known = found.filter((value) => value !== undefined);
        expect(found.slice(0, known.length)).toEqual(known);
        const keys = known.map((value) => (typeof value === 'string' ? value.toLowerCase() : value));
        const ascending = keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
        expect(keys).toEqual(descending ? ascending.toReversed() : ascending);
      }
    }
    const incomplete = { plan, sort: 'metadata' as const, descending: false, offset: 0, limit: 1 };
    await expect(reader.subjects.explore.list(incomplete)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('lists the nearest first when it has a score', async () => {
    const scores = [{ name: 'like' as const, media_id: items[0]?.media_id ?? '', max_distance: null }];
    const plan: QueryPlan = { entity_type: 'IMAGES', conditions: [], scores };
    const { items: listed } = await reader.subjects.explore.list({
      plan,
      sort: undefined,
      descending: false,
      offset: 0,
      limit: 20,
    });
    const distances = listed.map(({ distance }) => distance ?? -1);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const unscored = reader.subjects.explore.list({
      plan: everything('IMAGES'),
      sort: 'score',
      descending: false,
      offset: 0,
      limit: 1,
    });
    await expect(unscored).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('finds objects by their own labels and by facts of their images', async () => {
    const ofImage = anyCondition.filter(
      (condition) =>
        !['uniqueness', 'captions', 'map'].includes(condition.name) &&
        (condition.name !== 'words' || !condition.columns.includes('caption')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(ofImage, { maxLength: 3 }), async (conditions) => {
        const expected = items.flatMap((item) => item.objects.filter((object) => fits(conditions, item, object)));
        const found = await find({ ...everything('OBJECTS'), conditions });
        expect(found.total).toBe(expected.length);
        expect(found.ids).toHaveLength(expected.length);
      }),
      { numRuns: 25 },
    );
  });

  it('counts its matches among the last rows', async () => {
    const scores = [{ name: 'like' as const, media_id: items[0]?.media_id ?? '', max_distance: 0.8 }];
    const isNear = ({ vector }: KnownItem) => innerProduct(items[0]?.vector ?? vector, 0, vector, 0, QUERY_DIM) >= 0.2;
    await fc.assert(
      fc.asyncProperty(fc.array(anyCondition, { maxLength: 3 }), fc.nat(70), async (conditions, first) => {
        const latest = items.filter((item) => item.row >= first && fits(conditions, item));
        const plan = { ...everything('IMAGES'), conditions, from_row: first };
        const { media_ids, ...counts } = await reader.subjects.explore.count(plan);
        expect(counts).toEqual({ n_images: latest.length, n_objects: 0, n_video_frames: 0 });
        expect(media_ids).toHaveLength(Math.min(latest.length, MAX_SAMPLED));
        expect(latest.map(({ media_id }) => media_id)).toEqual(expect.arrayContaining(media_ids));
        const near = await reader.subjects.explore.count({ ...plan, scores });
        expect(near.n_images).toBe(latest.filter(isNear).length);
      }),
      { numRuns: 25 },
    );
    const ofImage = fc.array(pattern(['img', 'photo', '7.jpg']).map((of) => ({ name: 'files' as const, ...of })));
    await fc.assert(
      fc.asyncProperty(ofImage, fc.nat(150), async (conditions, first) => {
        const latest = items.flatMap((item) =>
          item.objects.filter((object) => object.row >= first && fits(conditions, item, object)),
        );
        const plan = { ...everything('OBJECTS'), conditions, from_row: first };
        expect((await reader.subjects.explore.count(plan)).n_objects).toBe(latest.length);
      }),
      { numRuns: 10 },
    );
  });

  it('never finds more with another condition, or other items in another order', async () => {
    await fc.assert(
      // A condition on `excluded` selects different items, so it is not used here.
      fc.asyncProperty(fc.array(anyCondition, { maxLength: 3 }), ofIncluded, async (conditions, another) => {
        const some = await find({ ...everything('IMAGES'), conditions });
        const fewer = await find({ ...everything('IMAGES'), conditions: [...conditions, another] });
        expect(some.ids).toEqual(expect.arrayContaining(fewer.ids));
        expect(await find({ ...everything('IMAGES'), conditions: [another, ...conditions].reverse() })).toEqual(fewer);
      }),
      { numRuns: 25 },
    );
  });

  it('ranks its matches by the worst of its scores', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCondition, { maxLength: 2 }),
        fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 2 }),
        fc.option(fc.double({ min: 0.2, max: 1, noNaN: true })),
        async (conditions, anchors, maxDistance) => {
          const scores = anchors.map((at) => ({
            name: 'like' as const,
            media_id: items[at]?.media_id ?? '',
            max_distance: maxDistance,
          }));
          const distance = (item: KnownItem) =>
            Math.max(
              ...anchors.map((at) => 1 - innerProduct(items[at]?.vector ?? item.vector, 0, item.vector, 0, QUERY_DIM)),
            );
          const expected = items
            .filter((item) => fits(conditions, item))
            .filter((item) => maxDistance === null || distance(item) <= maxDistance);
          const plan: QueryPlan = { entity_type: 'IMAGES', conditions, scores };
          const { clusters, total_items } = await reader.subjects.explore.listClusters({
            plan,
            level: LEVEL,
            page_number: 0,
          });
          expect(total_items).toBe(expected.length);
          expect((await find(plan)).ids).toEqual(expected.map(({ media_id }) => media_id).sort());
          const byCluster = clusters.map(({ distance }) => distance ?? -1);
          expect(byCluster).toEqual([...byCluster].sort((a, b) => a - b));
          for (const preview of clusters.flatMap(({ previews }) => previews)) {
            const item = expected.find(({ media_id }) => media_id === preview.media_id);
            expect(preview.distance).toBeCloseTo(item ? distance(item) : -1, 4);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('refuses to compare with a missing item', async () => {
    const scores = [{ name: 'like' as const, media_id: 'nothing', max_distance: null }];
    const requested = reader.subjects.explore.listClusters({
      plan: { entity_type: 'IMAGES', conditions: [], scores },
      level: 0,
      page_number: 0,
    });
    await expect(requested).rejects.toMatchObject({ code: 'not_found' });
  });

  it('finds labels that were added later', async () => {
    const first = items.find(({ excluded, labels: has }) => !excluded && !has.has('owl'));
    if (!first) throw new Error('there are items');
    const { row, media_id } = first;
    const label = { label: 'owl', class_id: null, confidence: 1 };
    const plan = {
      ...everything('IMAGES'),
      conditions: [{ name: 'labels' as const, op: 'is' as const, value: ['owl'] }],
    };
    const before = (await find(plan)).ids;
    const outputs = [{ model_id: 'other', output: { kind: 'labels' as const, labels: [label] } }];
    await writer.subjects.enrichment.saveImages('models', [{ row, media_id, outputs }], items.length, null);
    expect((await find(plan)).ids).toEqual([...before, media_id].sort());
  });
});

/** Texts of an item, each with a space around every word. */
function wordsOf(item: KnownItem, labelsOfIt: ReadonlySet<string>, columns: readonly TextColumn[]): string[] {
  const texts: Record<TextColumn, string[]> = {
    caption: [item.caption ?? ''],
    label: [...labelsOfIt],
    file_name: [item.file],
    folder: [item.folder],
    id: [item.media_id],
  };
  return columns
    .flatMap((column) => texts[column])
    .map((text) => ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `);
}

function has(query: WordQuery, texts: readonly string[]): boolean {
  if (query.op === 'phrase') return texts.some((text) => text.includes(` ${query.text.toLowerCase()} `));
  if (query.op === 'not') return !has(query.of, texts);
  return query.op === 'and' ? query.of.every((of) => has(of, texts)) : query.of.some((of) => has(of, texts));
}

function isMet(
  { op, value }: Condition & { name: 'labels' | 'tags' },
  has: ReadonlySet<string>,
  none: string,
): boolean {
  const met = value.filter((one) => (one === none ? has.size === 0 : has.has(one)));
  const all = met.length === value.length;
  return { is: all, is_not: !all, one_of: met.length > 0, not_one_of: met.length === 0 }[op];
}

function hasValue(test: MetadataTest, has: FieldValue | undefined): boolean {
  if (has === undefined) return false;
  switch (test.op) {
    case 'gt':
      return Number(has) > test.value;
    case 'lt':
      return Number(has) < test.value;
    case 'eq':
      return has === test.value;
    case 'range':
      return (test.from === undefined || has >= test.from) && (test.to === undefined || has <= test.to);
    default: {
      const texts = [has].flat().map((one) => String(one).toLowerCase());
      const isMet = (expected: string | number) =>
        texts.some((text) =>
          test.op === 'contains'
            ? text.includes(String(expected).toLowerCase())
            : text === String(expected).toLowerCase(),
        );
      return test.op === 'is' ? test.value.every(isMet) : test.value.some(isMet);
    }
  }
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function matches({ op, value }: { op: string; value: readonly string[] }, text: string): boolean {
  const [lower, expected] = [text.toLowerCase(), value.map((one) => one.toLowerCase())];
  if (op === 'contains') return expected.some((one) => lower.includes(one));
  if (op === 'starts_with') return expected.some((one) => lower.startsWith(one));
  if (op === 'ends_with') return expected.some((one) => lower.endsWith(one));
  return expected.includes(lower);
}
