import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { COVER_PX, COVER_SHEET, MAX_PREVIEWS } from '../schemas/explore.ts';

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

/** Maximum length of the ids in the address of a sheet of covers. */
export const MAX_COVERS_LENGTH = COVER_SHEET.covers * (MAX_PREVIEWS * 22 + 1);

export const mediaOperations = {
  get_media_file: defineOperation({
    method: 'GET',
    forScreen: true,
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
    forScreen: true,
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
  get_cover_sheet: defineOperation({
    method: 'GET',
    forScreen: true,
    path: '/cover/{dataset_id}/{covers}',
    section: 'own',
    summary: 'The covers of several clusters as one WebP image: squares of the thumbnails of their previews',
    permission: 'signed_url',
    input: z.object({
      dataset_id: field.uuid,
      /** The media ids of each cover: 22 characters of base64url an id, and a full stop between covers. */
      covers: z
        .string()
        .regex(/^([\w-]{22})*(\.([\w-]{22})*)*$/)
        .max(MAX_COVERS_LENGTH),
      /** Maximum number of items of a cover. */
      n: field.integer(1, MAX_PREVIEWS).default(MAX_PREVIEWS),
      /** Side of a cover. */
      px: z.preprocess(Number, z.literal(COVER_PX)).default(256),
      ...signature,
    }),
    output: madeFile,
    reply: 'file',
    errors: ['forbidden', 'not_found', 'unavailable'],
  }),
};
