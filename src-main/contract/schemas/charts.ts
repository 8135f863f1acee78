import { z } from 'zod';

/** Numbers of items that a scatter plot compares, besides custom fields. */
export const SCATTER_NUMBERS = ['width', 'height', 'created', 'uniqueness'] as const;
export type ScatterNumber = (typeof SCATTER_NUMBERS)[number];

/** Cells of a scatter plot. */
export const SCATTER_COLUMNS = 40;
export const SCATTER_ROWS = 24;

/** Values of times are in milliseconds since 1970. */
const axis = z.object({ from: z.number(), to: z.number(), is_time: z.boolean() });

/** Number of items per cell of two numbers. A cell has the bounds of its items' values, so that a filter by them gives the same count. */
export const scatter = z.object({
  /** Number of matching items with both values. */
  n_items: z.int(),
  /** Null if no item has both values. */
  x: axis.nullable(),
  y: axis.nullable(),
  cells: z.array(
    z.object({
      column: z.int(),
      row: z.int(),
      count: z.int(),
      x_from: z.number(),
      x_to: z.number(),
      y_from: z.number(),
      y_to: z.number(),
    }),
  ),
});
export type Scatter = z.infer<typeof scatter>;

/** Properties that divide labels. `field`: a custom field of few values, such as `split`. */
export const LABEL_GROUPS = ['folder', 'tag', 'field'] as const;
export type LabelGroup = (typeof LABEL_GROUPS)[number];

/** Maximum numbers of labels and groups counted. */
export const MAX_CHART_LABELS = 20;
export const MAX_CHART_GROUPS = 8;

/** Number of items with each label in each group: the most frequent labels and the largest groups. */
export const labelGroups = z.object({
  groups: z.array(z.object({ value: z.string(), name: z.string(), count: z.int() })),
  /** `counts`: one number per group. */
  labels: z.array(z.object({ name: z.string(), count: z.int(), counts: z.array(z.int()) })),
});
export type LabelGroups = z.infer<typeof labelGroups>;

/** What is compared: boxes of annotation files with those of detectors, or labels of whole items with those of taggers. */
export const COMPARED = ['objects', 'labels'] as const;
export type Compared = (typeof COMPARED)[number];

/** A predicted box belongs to an annotated one from this intersection over union on. */
export const MATCH_IOU = 0.5;
/** Minimum confidence of predictions in the confusion matrix, unless given. */
export const DEFAULT_AGREEMENT_CONFIDENCE = 0.5;
/** Number of confidences for which precision and recall are computed: 0.05, 0.1 … 0.95. */
export const CURVE_STEPS = 19;
/** Maximum number of classes compared, the most frequent first. */
export const MAX_CLASSES = 40;

const curve = z.array(
  z.object({
    confidence: z.number(),
    /** Null without predictions. */
    precision: z.number().nullable(),
    /** Null without annotations. */
    recall: z.number().nullable(),
  }),
);

export const agreement = z.object({
  compared: z.enum(COMPARED),
  confidence_min: z.number(),
  n_annotated: z.int(),
  /** Number of predictions, however unlikely. */
  n_predicted: z.int(),
  /** Names of the compared classes, the most frequent first. */
  classes: z.array(z.string()),
  /**
   * Number of pairs with these classes, most frequent first. `annotated` is null for predictions where nothing is annotated, `predicted` for
   * annotations that no prediction meets.
   */
  pairs: z.array(z.object({ annotated: z.string().nullable(), predicted: z.string().nullable(), count: z.int() })),
  /** Precision and recall of all classes together, and of each class. */
  overall: curve,
  curves: z.array(z.object({ name: z.string(), n_annotated: z.int(), curve })),
  /** Number of predictions by confidence, in twenty ranges; bounds included. */
  confidences: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })),
});
export type Agreement = z.infer<typeof agreement>;
