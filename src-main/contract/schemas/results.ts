import { z } from 'zod';

/*
 * How results that were computed elsewhere are described: `manifest.json` beside the files of results, which it lists.
 */

export const RESULT_KINDS = ['embeddings', 'labels', 'boxes', 'captions'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

const fileName = z
  .string()
  .regex(
    /^[\w-][\w.-]{0,199}\.(parquet|json)$/,
    'must be the name of a Parquet file, or of a JSON file with COCO results',
  );

const part = z.object({
  file: fileName,
  /** Number of rows, or of COCO results. */
  rows: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
});
export type ResultPart = z.infer<typeof part>;

/**
 * Columns of the Parquet files, by kind: `embeddings` media_id, embedding (a list of floats); `labels` media_id, label, confidence; `boxes`
 * media_id, box ([x, y, width, height] in pixels of the upright image), label, confidence; `captions` media_id, caption. `confidence` may be
 * missing; other columns are ignored.
 */
export const resultManifest = z
  .object({
    kind: z.enum(RESULT_KINDS),
    model: z.object({
      /** Id of the model, as in Vitrine's catalogue if it is a model of the catalogue. */
      id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'must be lower-case letters, digits, ".", "_" or "-"'),
      name: z.string().max(200).optional(),
    }),
    /** Length of the vectors; for embeddings only. */
    dim: z.int().min(2).max(4096).optional(),
    /** An object is compared with that of the same model here, as in `vitrine.json`; a text is not. */
    preprocessing: z.union([z.string().max(2000), z.record(z.string(), z.unknown())]).optional(),
    /** Labels of COCO results by category id. */
    categories: z.record(z.string(), z.string().min(1)).optional(),
    parts: z.array(part).min(1).max(100_000),
  })
  .refine(({ kind, dim }) => kind !== 'embeddings' || dim !== undefined, {
    path: ['dim'],
    message: 'must state the length of the vectors',
  })
  .refine(({ kind, parts }) => kind === 'boxes' || parts.every(({ file }) => file.endsWith('.parquet')), {
    path: ['parts'],
    message: 'must be Parquet files; only boxes may be COCO results',
  })
  .refine(({ parts }) => new Set(parts.map(({ file }) => file)).size === parts.length, {
    path: ['parts'],
    message: 'must each be listed once',
  });
export type ResultManifest = z.infer<typeof resultManifest>;
