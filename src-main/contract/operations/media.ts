import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { MAX_PREVIEWS } from '../schemas/explore.ts';

/** Files behind the absolute, signed, time-limited URLs that other operations return. */
const signature = { u: field.uuid.optional(), expires: z.string().max(20), signature: z.string().max(100) };
const signed = { dataset_id: field.uuid, media_id: field.uuid, ...signature };

/** A `file` reply: a slice of a file on disk. Only adapters see it. */
export const fileSlice = z.object({
  path: z.string(),
  offset: z.int(),
  /** Null for the rest of the file. */
  length: z.int().nullable(),
  /** CRC-32 of the bytes, which then fit into memory; null if unknown. */
  crc32: z.int().nullable(),
  content_type: z.string(),
  etag: z.string(),
  file_name: z.string(),
  /** Whether browsers save the file instead of showing it. */
  is_attachment: z.boolean().optional(),
  /** Whether the file was created for this answer and is deleted afterwards. */
  is_temporary: z.boolean().optional(),
});
export type FileSlice = z.infer<typeof fileSlice>;

/** A `file` reply with bytes that were created for it. */
const madeFile = fileSlice.pick({ content_type: true, etag: true, file_name: true }).extend({
  bytes: z.instanceof(Uint8Array),
});
export type MadeFile = z.infer<typeof madeFile>;

export const mediaOperations = {
  get_media_file: defineOperation({
    method: 'GET',
    path: '/media/{dataset_id}/{media_id}',
    section: 'own',
    summary: 'The original file of an item, with ranges',
    permission: 'signed_url',
    input: z.object(signed),
    output: fileSlice,
    reply: 'file',
    errors: ['forbidden', 'not_found'],
  }),
  get_thumbnail: defineOperation({
    method: 'GET',
    path: '/thumbnail/{dataset_id}/{media_id}',
    section: 'own',
    summary: 'The WebP thumbnail of an item',
    permission: 'signed_url',
    input: z.object(signed),
    output: fileSlice,
    reply: 'file',
    errors: ['forbidden', 'not_found'],
  }),
  get_export_file: defineOperation({
    method: 'GET',
    path: '/export/{dataset_id}/{media_id}',
    section: 'own',
    summary: 'The file of an export, with ranges',
    permission: 'signed_url',
    input: z.object(signed),
    output: fileSlice,
    reply: 'file',
    errors: ['forbidden', 'not_found'],
  }),
  get_cover: defineOperation({
    method: 'GET',
    path: '/cover/{dataset_id}/{media_ids}',
    section: 'own',
    summary: 'The thumbnails of several items as one square WebP image',
    permission: 'signed_url',
    input: z.object({
      dataset_id: field.uuid,
      /** Comma-separated media ids. */
      media_ids: z.string().max(MAX_PREVIEWS * 37),
      /** Maximum number of items. */
      n: field.integer(1, MAX_PREVIEWS).default(MAX_PREVIEWS),
      ...signature,
    }),
    output: madeFile,
    reply: 'file',
    errors: ['forbidden', 'not_found', 'unavailable'],
  }),
};
