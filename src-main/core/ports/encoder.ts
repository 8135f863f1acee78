import type { ModelRef } from './inference.ts';

/** The encoders of a dataset, one for each of its spaces. */
export interface Encoders {
  looks: Encoder;
  meaning?: Encoder | undefined;
}

/** An image encoder used to index a dataset. */
export interface Encoder {
  encoder_id: string;
  /** Number of dimensions of the vectors. */
  dim: number;
  model: ModelRef;
  /** Cosine similarities at which clusters stop merging: five thresholds, finest first, calibrated per encoder. */
  linkage_thresholds: readonly number[];
}
