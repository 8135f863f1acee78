import type { Message } from '../../contract/messages.ts';
import type { CropRequest } from './local-jobs.ts';
import type { SpaceVectors } from './vector-space.ts';

/** An image with pending boxes: boxes without thumbnail and vector. */
export interface ImageOfBoxes {
  /** Absolute path to read. */
  path: string;
  /** Size in pixels of the upright image that contains the boxes. */
  width: number;
  height: number;
  /** Crops to make, keyed by {@link BoxResult.key}. */
  crops: CropRequest[];
}

/** Position after which the list of boxes continues; null starts at the first box. */
export type BoxCursor = { media_row: number; box_id: number } | null;

/** Result of processing a box: an object, or the reason why it failed. */
export type DescribedObject =
  | {
      ok: true;
      thumbnail: Uint8Array;
      vectors: SpaceVectors;
      caption?: string | null;
      caption_source?: string | null;
      /** Set when the encoder of the `meaning` space failed on the box. */
      failure?: { model_id: string; reason: Message };
    }
  | { ok: false; reason: Message };

export type BoxResult = DescribedObject & { key: number };
