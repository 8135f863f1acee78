import type { ModelRef } from './inference.ts';

/** What a dataset is indexed with: an encoder for each of its spaces. */
export interface Encoders {
  looks: Encoder;
  meaning?: Encoder | undefined;
}

/** An image encoder that a dataset is indexed with. */
export interface Encoder {
  encoder_id: string;
  /** Length of its vectors. */
  dim: number;
  model: ModelRef;
  /** Cosine similarity down to which items join, for each of the five thresholds, finest first; calibrated per encoder. */
  linkage_thresholds: readonly number[];
}
