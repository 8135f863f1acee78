import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Bytes behind the absolute, signed, time-limited URLs that other operations return. */
const signed = {
  dataset_id: field.uuid,
  media_id: field.uuid,
  expires: z.string().max(20),
  signature: z.string().max(100),
};

/** What a `file` reply sends: a slice of a file on disk. Handlers return it; only adapters see it. */
export const fileSlice = z.object({
  path: z.string(),
  offset: z.int(),
  /** Null: to the end of the file. */
  length: z.int().nullable(),
  /** CRC-32 that the bytes must have, all of which then fit into memory; null where it is not known. */
  crc32: z.int().nullable(),
  content_type: z.string(),
  etag: z.string(),
  file_name: z.string(),
});
export type FileSlice = z.infer<typeof fileSlice>;

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
};
