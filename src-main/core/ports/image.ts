import type { Message } from '../../contract/messages.ts';

/* Types shared by the ports that process images. */

/** A box in whole pixels of an upright image. */
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The reason why processing an image failed. */
export interface FailedImage {
  key: number;
  ok: false;
  kind: 'corrupt' | 'unsupported' | 'too_large' | 'unreadable' | 'empty' | 'crashed';
  /** Contains no local path. */
  reason: Message;
}
