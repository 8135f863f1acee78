import type { ModelOutput } from '../../core/ports/inference.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import type { PixelSize, PreparedImage } from '../images/image-input.ts';
import type { SessionSettings } from './session-settings.ts';

/** What a model made of a batch, and how long that took inside its sessions. */
export interface AppliedBatch {
  outputs: ModelOutput[];
  ms: number;
}

/** A loaded model that looks at images. */
export interface ImageModel {
  readonly provider: string;
  /** Models with equal keys take equal preparations. */
  readonly preparation_key: string;
  /** How large an image must be decoded, as a part of its own size. */
  scaleWanted(image: PixelSize): number;
  prepare(working: WorkingImage, image: PixelSize): Promise<PreparedImage>;
  apply(batch: readonly PreparedImage[]): Promise<AppliedBatch>;
}

/** What a model that is being loaded may tell and ask. */
export interface OpenContext {
  session: SessionSettings;
  /** To be called now and then through long preparations: silence counts as hanging. */
  alive(): void;
}
