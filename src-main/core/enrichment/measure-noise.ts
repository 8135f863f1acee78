import { EVERYDAY_LABELS } from '../../contract/everyday-labels.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { Inference, ModelRef } from '../ports/inference.ts';
import type { NoiseDistribution } from '../ports/query.ts';
import { hasDirection } from './has-direction.ts';

/** Number of images or objects on which the noise is measured. */
const SAMPLE = 256;
/**
 * Every seventh everyday label is used. The labels name things of many kinds, so that nearly all pairs of a label and an image are
 * unrelated.
 */
const STEP = 7;

/**
 * Measures the mean and standard deviation of the cosine similarities between a dataset's images or objects and mostly unrelated texts. The
 * few related pairs have little influence among thousands.
 * @returns Undefined if the encoder cannot encode texts, or the samples do not vary.
 */
export async function measureNoise(
  store: StoreReads,
  entityType: EntityType,
  inference: Inference,
  encoder: ModelRef,
  signal: AbortSignal,
): Promise<NoiseDistribution | undefined> {
  const images = await store.vectors.sample('meaning', entityType, SAMPLE);
  const texts = await inference.encodeTexts(
    EVERYDAY_LABELS.filter((_, at) => at % STEP === 0).map((label) => `a photo of a ${label}`),
    encoder,
    signal,
  );
  const dim = texts[0]?.length ?? 0;
  if (dim === 0) return undefined;
  let [n, sum, squares] = [0, 0, 0];
  for (const text of texts) {
    if (!hasDirection(text)) continue;
    for (let first = 0; first + dim <= images.length; first += dim) {
      const image = images.subarray(first, first + dim);
      if (!hasDirection(image)) continue;
      const cosine = text.reduce((total, value, at) => total + value * (image[at] ?? 0), 0);
      n += 1;
      sum += cosine;
      squares += cosine * cosine;
    }
  }
  if (n < 2) return undefined;
  const mean = sum / n;
  const deviation = Math.sqrt(Math.max(0, squares / n - mean * mean));
  return deviation > 0 ? { mean, deviation } : undefined;
}
