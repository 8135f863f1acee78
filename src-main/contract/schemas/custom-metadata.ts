import { z } from 'zod';

export const FIELD_TYPES = ['string', 'float', 'datetime', 'enum', 'link'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const MAX_ENUM_OPTIONS = 20;
export const MAX_OPTION_CHARS = 20;

/** EXIF properties that can become fields. */
export const EXIF_PROPERTIES = ['camera', 'lens', 'taken_at', 'latitude', 'longitude'] as const;
export type ExifProperty = (typeof EXIF_PROPERTIES)[number];

/** Statuses of a value upload, which starts with the declaration of its field. */
const METADATA_STATUSES = ['INIT', 'IN_PROGRESS', 'COMPLETED', 'COMPLETED_WITH_ERRORS'] as const;

/** Datetimes are ISO 8601 in UTC; values of multi enums are lists of options. */
export const fieldValue = z.union([z.string(), z.number(), z.array(z.string())]);
export type FieldValue = z.infer<typeof fieldValue>;

/** The value of an image. */
export const metadataValue = z.object({
  field_name: z.string(),
  field_type: z.enum(FIELD_TYPES),
  value: fieldValue,
});
export type MetadataValue = z.infer<typeof metadataValue>;

/** Progress of importing the values of a field. */
export const metadataStatus = z.object({
  task_id: z.string(),
  status: z.enum(METADATA_STATUSES),
  /** Percentage, 0 to 100. */
  progress: z.number(),
  inserted_rows: z.int(),
  error_count: z.int(),
  /** The first errors; `row_index` starts at 0. */
  sample_errors: z.array(z.object({ reason: z.string(), row_index: z.int() })),
});
export type MetadataStatus = z.infer<typeof metadataStatus>;

export const metadataField = metadataStatus.extend({
  field_name: z.string(),
  field_type: z.enum(FIELD_TYPES),
  /** Empty for fields other than enums. */
  enum_options: z.array(z.string()),
  is_multi: z.boolean(),
  created_at: z.string(),
});
export type MetadataField = z.infer<typeof metadataField>;
