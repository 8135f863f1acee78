import type { CropRequest } from './local-jobs.ts';
import type { SpaceVectors } from './vector-space.ts';

/** An image with boxes that wait for their thumbnails and vectors. */
export interface ImageOfBoxes {
  /** Absolute path to read. */
  path: string;
  /** Of the upright image that the boxes are on. */
  width: number;
  height: number;
  /** Keyed by {@link BoxResult.key}. */
  crops: CropRequest[];
}

/** Place after which the list of boxes goes on; null for its beginning. */
export type BoxCursor = { media_row: number; box_id: number } | null;

/** What becomes of a box: an object, or nothing. */
export type DescribedObject =
  | {
      ok: true;
      thumbnail: Uint8Array;
      vectors: SpaceVectors;
      caption?: string | null;
      caption_source?: string | null;
      /** Why the encoder of meaning made nothing of it. */
      failure?: { model_id: string; reason: string };
    }
  | { ok: false; reason: string };

export type BoxResult = DescribedObject & { key: number };
