import { z } from 'zod';
import { FIELD_TYPES } from './custom-metadata.ts';
import { coverSheets, preview } from './explore.ts';
import { ISSUES, issueCounts } from './issues.ts';
import { itemDetails } from './item-details.ts';

const named = z.object({ name: z.string(), count: z.int() });
/** A range of values, bounds included, as the filters `width`, `height`, `created` and `taken` take them. */
const range = <T extends z.ZodType>(bound: T) => z.object({ from: bound, to: bound, count: z.int() });

/** Facet of a custom field: `values` of enums and of texts with few values, `ranges` of numbers and datetimes. */
const fieldFacet = z.object({
  field_name: z.string(),
  field_type: z.enum(FIELD_TYPES),
  /** Number of items with a value; null for texts with too many values. */
  n_values: z.int().nullable(),
  values: z.array(named),
  ranges: z.array(range(z.union([z.number(), z.string()]))),
});
export type FieldFacet = z.infer<typeof fieldFacet>;

/** Counts of values within a query. Values without items are omitted; long lists hold the most frequent values. */
export const facets = z.object({
  total: z.int(),
  /** Includes labels of objects, with corrections applied. */
  labels: z.array(named),
  n_unlabeled: z.int(),
  /** Whether models gave labels with confidences, so that `label_confidence` matters. */
  labels_have_confidence: z.boolean(),
  tags: z.array(named.extend({ tag_id: z.string() })),
  n_untagged: z.int(),
  issues: issueCounts,
  /** Folder paths; the folder of a frame is its video. */
  folders: z.array(named),
  media_types: z.array(named.extend({ name: z.enum(['image', 'video_frame']) })),
  /** Pixels, by powers of two. */
  widths: z.array(range(z.int())),
  heights: z.array(range(z.int())),
  /** By days, months or years, whichever are few enough; ISO 8601. */
  created: z.array(range(z.string())),
  /** Time by the camera's clock (EXIF), otherwise time of the file's last modification. */
  taken: z.array(range(z.string())),
  /** In the order of declaration. */
  metadata: z.array(fieldFacet),
});
export type Facets = z.infer<typeof facets>;

/**
 * `caption`, `label` and `tag`: by the first one. `cluster`: clusters of the level `threshold`, largest first. `confidence`: that of the
 * model that found the object. `file_size`: bytes. `issues`: by the highest confidence of any issue; the names of issues: by the confidence
 * of that issue. `metadata`: by the custom field `sort_field`. `name`: by path. `quality`: by sharpness. `score`: nearest first, in scored
 * queries only. `similarity`: similar items side by side. `size`: number of pixels. Items without a value are last in both directions.
 */
export const ITEM_SORTS = [
  'similarity',
  'score',
  'name',
  'file_name',
  'created',
  'modified',
  'size',
  'width',
  'height',
  'file_size',
  'format',
  'quality',
  'uniqueness',
  'label',
  'tag',
  'caption',
  'confidence',
  'cluster',
  'metadata',
  'issues',
  ...ISSUES,
] as const;
export type ItemSort = (typeof ITEM_SORTS)[number];

/** A page of matching items. */
export const itemPage = z.object({
  items: z.array(preview.extend({ details: itemDetails.optional() })),
  cover_sheets: coverSheets,
  total: z.int(),
  page_number: z.int(),
  page_size: z.int(),
});
export type ListedItem = ItemPage['items'][number];
export type ItemPage = z.infer<typeof itemPage>;
