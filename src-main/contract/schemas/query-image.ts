import { z } from 'zod';
import { boundingBox } from './explore.ts';

/** A region of an image: in fractions of its sides, or in pixels of the upright image. */
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

/** A region as text: JSON with fractions, or `x,y,width,height` in pixels. */
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

/** The anchor parameters of Explore for a query image, until it expires. */
export const queryImageAnchor = z.object({
  anchor_media_id: z.string(),
  anchor_type: z.literal('UPLOAD'),
  expires_at: z.string(),
});
export type QueryImageAnchor = z.infer<typeof queryImageAnchor>;

export const queryImage = queryImageAnchor.extend({
  file_name: z.string(),
  /** Size of the whole upright image. */
  width: z.int(),
  height: z.int(),
  /** Compared region in pixels; null for the whole image. */
  bounding_box: boundingBox.nullable(),
  /** Compared region as a `data:` URL. */
  thumbnail: z.string(),
});
export type QueryImageDetails = z.infer<typeof queryImage>;
