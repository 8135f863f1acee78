import { EVERYDAY_LABELS } from '../../contract/everyday-labels.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { Inference, ModelRef } from '../ports/inference.ts';
import type { NoiseDistribution } from '../ports/query.ts';
import { hasDirection } from './has-direction.ts';

/** Images or objects that the noise is measured on. */
const SAMPLE = 256;
/** So many of the everyday labels apart: things of many kinds, so that nearly all pairs of one and an image have nothing to do with each other. */
const STEP = 7;

/**
 * Mean and standard deviation of the cosines between the dataset's images, or its objects, and texts that mostly do not fit them. A pair that does fit
 * weighs little among thousands.
 * @returns Undefined when the encoder makes nothing of the texts.
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
