import type { ModelOutput } from '../../core/ports/inference.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import type { PixelSize, PreparedImage } from '../images/image-input.ts';
import type { SessionSettings } from './session-settings.ts';

/** Results of a model for a batch, and the time inside its sessions. */
export interface AppliedBatch {
  outputs: ModelOutput[];
  ms: number;
}

/** A loaded model that takes images. */
export interface ImageModel {
  readonly provider: string;
  /** Models with equal keys take the same prepared image. */
  readonly preparation_key: string;
  /** Scale at which an image must be decoded, relative to its own size. */
  neededScale(image: PixelSize): number;
  prepare(working: WorkingImage, image: PixelSize): Promise<PreparedImage>;
  apply(batch: readonly PreparedImage[]): Promise<AppliedBatch>;
}

/** Settings and callbacks for loading a model. */
export interface OpenContext {
  session: SessionSettings;
  /** Call it regularly during long work: a silent process counts as hung. */
  alive(): void;
}
