import { z } from 'zod';
import { boundingBox } from './explore.ts';

/** A part of an image: in fractions of its sides, or in pixels of the upright image. */
export interface Region {
  unit: 'fraction' | 'pixel';
  x: number;
  y: number;
  width: number;
  height: number;
}

const EXPECTED =
  'expected {"x":0.1,"y":0.2,"width":0.5,"height":0.4} in fractions of the image, or x,y,width,height in pixels';
const PIXELS = /^\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*$/;

const fraction = z.number().min(0).max(1);
const fractions = z.object({ x: fraction, y: fraction, width: fraction.positive(), height: fraction.positive() });

/** As clients send it: JSON with fractions, or `x,y,width,height` in pixels. */
export const region = z
  .string()
  .max(500)
  .transform((text, context): Region => {
    const read = readFractions(text) ?? readPixels(text);
    if (read) return read;
    context.addIssue({ code: 'custom', message: EXPECTED });
    return z.NEVER;
  });

function readFractions(text: string): Region | undefined {
  try {
    const read = fractions.safeParse(JSON.parse(text));
    return read.success ? { unit: 'fraction', ...read.data } : undefined;
  } catch {
    return undefined;
  }
}

function readPixels(text: string): Region | undefined {
  const [, x, y, width, height] = (PIXELS.exec(text) ?? []).map(Number);
  if (x === undefined || y === undefined || !width || !height) return undefined;
  return { unit: 'pixel', x, y, width, height };
}

/** What Explore takes as `anchor_media_id` and `anchor_type`, until it expires. */
export const queryImageAnchor = z.object({
  anchor_media_id: z.string(),
  anchor_type: z.literal('UPLOAD'),
  expires_at: z.string(),
});
export type QueryImageAnchor = z.infer<typeof queryImageAnchor>;

export const queryImage = queryImageAnchor.extend({
  file_name: z.string(),
  /** Of the whole image, upright. */
  width: z.int(),
  height: z.int(),
  /** The part of it that is compared, in pixels; null for all of it. */
  bounding_box: boundingBox.nullable(),
  /** A `data:` URL of what is compared. */
  thumbnail: z.string(),
});
export type QueryImageDetails = z.infer<typeof queryImage>;
