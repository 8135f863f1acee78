/* What every port that deals in images speaks of. */

/** In whole pixels of an upright image. */
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why an image gave nothing. */
export interface FailedImage {
  key: number;
  ok: false;
  kind: 'corrupt' | 'unsupported' | 'too_large' | 'unreadable' | 'empty' | 'crashed';
  /** Plain English, without a local path. */
  reason: string;
}
