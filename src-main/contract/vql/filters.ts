import { z } from 'zod';
import { ISSUE_CHOICES } from '../schemas/issues.ts';

/**
 * [Note: VQL]
 * A query is a list of filters, all of which must hold. In VQL it is a JSON array of objects, each keyed by the names of its filters:
 * `[{"labels":{"op":"is","value":["dog"]}},{"text":{"op":"semantic","value":"red car"}}]`. The other parameters of Explore become filters
 * of the same kinds. This file is the grammar: what a filter's body holds, and the one form that it has after it was read.
 */
const text = z.string().trim().min(1);
const fraction = z.number().min(0).max(1);

/** One value or several; always several once read. */
const list = <T extends z.ZodType>(one: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(one).min(1));

const bounds = <T extends z.ZodType>(bound: T) =>
  z
    .object({ op: z.literal('range'), from: bound.optional(), to: bound.optional() })
    .refine(({ from, to }) => from !== undefined || to !== undefined, 'expected from, to or both')
    .refine(
      ({ from, to }) => from === undefined || to === undefined || (from as number | string) <= (to as number | string),
      'expected from to be at most to',
    );
const pixels = bounds(z.int().min(0));
/** UTC, so that times compare as text. */
const moment = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((time) => new Date(time).toISOString());

const words = z.object({ op: z.enum(['contains', 'starts_with', 'ends_with', 'one_of']), value: list(text) });

/** Corners as [x, y]; the map's sides go from 0 to 1. */
const polygon = z
  .array(z.tuple([z.number().min(-10).max(10), z.number().min(-10).max(10)]))
  .min(3)
  .max(500);

export const FILTERS = {
  /** `threshold`: the least similarity. */
  text: z.object({ op: z.enum(['fts', 'semantic']), value: text, threshold: fraction.optional() }),
  /** `is` has all, `is_not` not all together, `one_of` at least one, `not_one_of` none. */
  labels: z.object({ op: z.enum(['is', 'is_not', 'one_of', 'not_one_of']), value: list(text) }),
  /** Ids of tags, or `untagged`. */
  tags: z.object({
    op: z.enum(['is', 'is_not', 'one_of', 'not_one_of']),
    value: list(
      text.refine(
        (tag) => tag === 'untagged' || z.uuid().safeParse(tag).success,
        'expected the id of a tag, or "untagged"',
      ),
    ),
  }),
  issues: z.object({
    op: z.literal('issue'),
    value: z.enum(ISSUE_CHOICES),
    mode: z.enum(['in', 'out']).default('in'),
    confidence_min: fraction.optional(),
    confidence_max: fraction.optional(),
  }),
  /** Clusters of duplicates at a similarity. */
  duplicates: z.object({ op: z.literal('duplicates'), value: fraction }),
  /** Items whose score is above the value. */
  uniqueness: z.object({ op: z.literal('uniqueness'), value: fraction }),
  /** Items like an anchor: a query image that was uploaded, or an item. `threshold`: the largest cosine distance. */
  similarity: z.object({ op: z.enum(['upload', 'media']), value: z.uuid(), threshold: fraction.optional() }),
  /** Paths of folders, as they are shown. */
  folders: words,
  /** Names of files. */
  files: words,
  /** `semantic` compares with captions where the dataset has their vectors; `below`: distances from there on are left out. */
  captions: z.union(
    [words, z.object({ op: z.literal('semantic'), value: text, below: fraction.optional() })],
    'expected an op of contains, starts_with, ends_with, one_of or semantic, and a value',
  ),
  /**
   * Custom fields. Which operators fit depends on the field's type: `is`, `one_of` and `contains` texts, `is` (all) and `one_of` options of
   * enums, `gt`, `lt`, `eq` and `range` numbers, `range` datetimes.
   */
  metadata: z.union(
    [
      z.object({ field: text, op: z.enum(['is', 'contains', 'one_of']), value: list(z.union([text, z.number()])) }),
      z.object({ field: text, op: z.enum(['gt', 'lt', 'eq']), value: z.number() }),
      bounds(moment).safeExtend({ field: text }),
      bounds(z.number()).safeExtend({ field: text }),
    ],
    'expected a field, an op (is, contains, one_of, gt, lt, eq or range) and a value',
  ),
  /** Items in an area of the map, a polygon whose sides may cross: inside is what an odd number of them lies around. `map_id`: the layout. */
  map: z.object({ op: z.literal('inside').default('inside'), map_id: text.optional(), value: polygon }),
  /** Items of clusters, by their ids. */
  clusters: z.object({ op: z.literal('one_of').default('one_of'), value: list(z.uuid()) }),
  /** Items, or objects, by their ids. */
  media: z.object({ op: z.literal('one_of').default('one_of'), value: list(z.uuid()) }),
  /** Those that were left out, which nothing else finds. */
  excluded: z.object({ op: z.literal('is').default('is'), value: z.boolean() }),
  media_type: z.object({ op: z.literal('one_of').default('one_of'), value: list(z.enum(['image', 'video_frame'])) }),
  width: pixels,
  height: pixels,
  /** When the item came into the dataset. */
  created: bounds(moment),
} as const;

export type FilterName = keyof typeof FILTERS;
export type FilterBody<Name extends FilterName> = z.output<(typeof FILTERS)[Name]>;

/** One condition of a query. */
export type Filter = { [Name in FilterName]: { name: Name; body: FilterBody<Name> } }[FilterName];

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}
