import { z } from 'zod';
import { COMPARED, DEFAULT_AGREEMENT_CONFIDENCE } from '../schemas/charts.ts';
import { ISSUE_CHOICES } from '../schemas/issues.ts';
import { queueId, VERDICTS } from '../schemas/review.ts';

/**
 * [Note: VQL]
 * A query is a list of filters, all of which must hold. In VQL it is a JSON array of objects, each keyed by the names of its filters:
 * `[{"labels":{"op":"is","value":["dog"]}},{"text":{"op":"semantic","value":"red car"}}]`. The other parameters of Explore become filters
 * of the same kinds. This file is the grammar: the accepted bodies of each filter, and the form they are parsed to.
 */
const text = z.string().trim().min(1);
const fraction = z.number().min(0).max(1);

/** One value or several; parsed to an array. */
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

/** Corners as [x, y]; the map extends from 0 to 1. */
const polygon = z
  .array(z.tuple([z.number().min(-10).max(10), z.number().min(-10).max(10)]))
  .min(3)
  .max(500);

export const FILTERS = {
  /** `threshold`: minimum similarity. */
  text: z.object({ op: z.enum(['fts', 'semantic']), value: text, threshold: fraction.optional() }),
  /**
   * `is`: has all; `is_not`: lacks at least one; `one_of`: has at least one; `not_one_of`: has none. The labels of an item include those of
   * its objects. `confidence_min`: minimum confidence of labels from models; default: 0.2, and 0.3 for those of an item's objects.
   */
  labels: z.object({
    op: z.enum(['is', 'is_not', 'one_of', 'not_one_of']),
    value: list(text),
    confidence_min: fraction.optional(),
  }),
  /** Ids of tags, or `untagged`; operators as for labels. The tags of an object include those of its image. */
  tags: z.object({
    op: z.enum(['is', 'is_not', 'one_of', 'not_one_of']),
    value: list(
      text.refine(
        (tag) => tag === 'untagged' || z.uuid().safeParse(tag).success,
        'expected the id of a tag, or "untagged"',
      ),
    ),
  }),
  /**
   * Items with an issue at a confidence of `confidence_min` … `confidence_max`; `normal` means no issue. The minimum defaults to the
   * confidence from which an item counts as having the issue.
   */
  issues: z.object({
    op: z.literal('issue'),
    value: z.enum(ISSUE_CHOICES),
    mode: z.enum(['in', 'out']).default('in'),
    confidence_min: fraction.optional(),
    confidence_max: fraction.optional(),
  }),
  /** Near-duplicates of another item at a minimum confidence; 1 means equal bytes. The clusters of such a query are groups of duplicates. */
  duplicates: z.object({ op: z.literal('duplicates'), value: fraction }),
  /** Items whose score is above the value. */
  uniqueness: z.object({ op: z.literal('uniqueness'), value: fraction }),
  /** Items similar to an anchor: an uploaded query image or an item. `threshold`: maximum cosine distance. */
  similarity: z.object({ op: z.enum(['upload', 'media']), value: z.uuid(), threshold: fraction.optional() }),
  /** Folder paths as shown on screens. Like names of files and captions case-insensitive; at least one value must match. */
  folders: words,
  /** Names of files. */
  files: words,
  /** `semantic` compares caption embeddings if the dataset has them; `below`: upper limit of the distance, exclusive. */
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
  /** Items in an area of the map: a polygon with the even-odd rule. `map_id`: the projection. */
  map: z.object({ op: z.literal('inside').default('inside'), map_id: text.optional(), value: polygon }),
  /** Items of clusters, by cluster ids. */
  clusters: z.object({ op: z.literal('one_of').default('one_of'), value: list(z.uuid()) }),
  /** Items or objects, by ids. */
  media: z.object({ op: z.literal('one_of').default('one_of'), value: list(z.uuid()) }),
  /** Excluded items, which no other query returns. `false` is the default of queries: items that are not excluded. */
  excluded: z.object({ op: z.literal('is').default('is'), value: z.boolean() }),
  /** Items that were decided in a queue of the review, with any verdict or with this one; `is_not`: the others. */
  reviewed: z.object({ op: z.enum(['is', 'is_not']), value: queueId, verdict: z.enum(VERDICTS).optional() }),
  media_type: z.object({ op: z.literal('one_of').default('one_of'), value: list(z.enum(['image', 'video_frame'])) }),
  /** Pixels of the upright image, inclusive bounds. */
  width: pixels,
  height: pixels,
  /** Time when the item was added to the dataset, inclusive bounds. */
  created: bounds(moment),
  /** Time of the image by the camera's clock (EXIF), otherwise of the file's last modification; inclusive bounds. */
  taken: bounds(moment),
  /**
   * Items and objects that are annotated as one class and predicted as another with at least `confidence_min`. null: not annotated, or not
   * predicted. `compared`: boxes or labels of whole items; default: boxes if any are both annotated and predicted.
   */
  agreement: z.object({
    op: z.literal('pair').default('pair'),
    annotated: text.nullable(),
    predicted: text.nullable(),
    confidence_min: fraction.default(DEFAULT_AGREEMENT_CONFIDENCE),
    compared: z.enum(COMPARED).optional(),
  }),
  /** Items and objects with a prediction of this confidence, inclusive bounds; `compared` as for `agreement`. */
  confidence: bounds(fraction).safeExtend({ compared: z.enum(COMPARED).optional() }),
  /** Objects that a model found with at least this confidence, and all objects of annotation files. Items are not tested. */
  object_confidence: z.object({ op: z.literal('at_least').default('at_least'), value: fraction }),
} as const;

export type FilterName = keyof typeof FILTERS;
export type FilterBody<Name extends FilterName> = z.output<(typeof FILTERS)[Name]>;

/** One condition of a query. */
export type Filter = { [Name in FilterName]: { name: Name; body: FilterBody<Name> } }[FilterName];

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}
