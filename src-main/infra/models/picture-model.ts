import type { ModelOutput } from '../../core/ports/model.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import type { PixelSize, PreparedPicture } from '../images/picture-input.ts';
import type { SessionSettings } from './session-settings.ts';

/** What a model made of a batch, and how long that took inside its sessions. */
export interface AppliedBatch {
  outputs: ModelOutput[];
  ms: number;
}

/** A loaded model that looks at pictures. */
export interface PictureModel {
  readonly provider: string;
  /** Models with equal keys take equal preparations. */
  readonly preparation_key: string;
  /** How large a picture must be decoded, as a part of its own size. */
  scaleWanted(picture: PixelSize): number;
  prepare(working: WorkingImage, picture: PixelSize): Promise<PreparedPicture>;
  apply(batch: readonly PreparedPicture[]): Promise<AppliedBatch>;
}

/** What a model that is being loaded may tell and ask. */
export interface OpenContext {
  session: SessionSettings;
  /** To be called now and then through long preparations: silence counts as hanging. */
  alive(): void;
}
