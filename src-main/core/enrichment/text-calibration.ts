import { ENTITY_TYPES, type EntityType } from '../../contract/schemas/explore.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { Inference } from '../ports/inference.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { NoiseDistributions } from './enrichment.repository.ts';
import { measureNoise } from './measure-noise.ts';

/**
 * Returns the noise distributions that calibrate searches by text, for each of the entity types that a dataset has.
 * @param known Existing distributions. Only missing ones are measured.
 * @returns `known` if the encoder has no text side or is not installed.
 */
export async function calibrateTexts(
  { library, inference }: { library: ModelLibrary; inference: Inference },
  store: StoreReads,
  encoderId: string,
  known: NoiseDistributions,
  signal: AbortSignal,
  entityTypes: readonly EntityType[] = ENTITY_TYPES,
): Promise<NoiseDistributions> {
  const model = await library.find(encoderId);
  if (!model?.installed) return known;
  const { runner, calibration } = model.definition;
  if (runner.kind !== 'image_encoder' || runner.text === undefined) return known;
  const { mean, deviation } = calibration ?? {};
  const stated = mean !== undefined && deviation !== undefined ? { mean, deviation } : undefined;
  const { ref } = await library.get(encoderId);
  const { n_objects } = await store.items.counts();
  const noise = { ...known };
  for (const entityType of entityTypes) {
    if (noise[entityType] || (entityType === 'OBJECTS' && n_objects === 0)) continue;
    const found = stated ?? (await measureNoise(store, entityType, inference, ref, signal));
    if (found) noise[entityType] = found;
  }
  return noise;
}
