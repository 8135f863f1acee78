import type { EncoderSpec } from './compute.port.ts';

/** The image encoder that a dataset is indexed with. */
export interface Encoder extends EncoderSpec {
  /** Cosine similarity down to which items join, for each of the five thresholds, finest first; calibrated per encoder. */
  cuts: readonly number[];
}
