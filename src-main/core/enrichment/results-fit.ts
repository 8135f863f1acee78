import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { type ImageInput, imageInput } from '../../contract/schemas/model-definition.ts';
import type { ResultManifest } from '../../contract/schemas/results.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { Encoder } from '../ports/encoder.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { DatasetModelsService } from './dataset-models.service.ts';
import type { EnrichmentRepository } from './enrichment.repository.ts';

export interface FitParts {
  builtIn: Encoder;
  enrichments: EnrichmentRepository;
  library: ModelLibrary;
  models: DatasetModelsService;
}

/**
 * Checks that results of a model can be imported into a dataset, as far as the manifest tells.
 * @throws AppError `conflict` for vectors of another model than the dataset's; `invalid_request`.
 */
export async function assertResultsFit(
  parts: FitParts,
  datasetId: string,
  store: DatasetStore,
  manifest: ResultManifest,
): Promise<void> {
  const { kind, model } = manifest;
  // Boxes become objects, whose vectors are computed here.
  if (kind === 'boxes') await parts.models.encodersOf(store, 'OBJECTS');
  if (kind !== 'embeddings') return;
  if (model.id === parts.builtIn.encoder_id) {
    throw new AppError('invalid_request', message('results_of_built_in_model', { model: model.id }));
  }
  const requested = parts.enrichments.modelsOf(datasetId).MULTIMODEL_IMAGE_ENCODING;
  if (requested !== undefined && requested !== model.id) {
    throw new AppError('conflict', message('results_of_other_model', { found: model.id, requested }));
  }
  const space = await store.vectors.findSpace('meaning', 'IMAGES');
  if (space !== undefined) assertDim(manifest, space.dim);
  await assertModelFits(parts.library, manifest);
}

/** Compares the manifest with the definition of the model, if it is known here. */
async function assertModelFits(library: ModelLibrary, manifest: ResultManifest): Promise<void> {
  const { id } = manifest.model;
  const runner = (await library.find(id))?.definition.runner;
  if (runner === undefined) return;
  if (runner.kind !== 'image_encoder' && runner.kind !== 'precomputed') {
    throw new AppError('invalid_request', message('results_of_no_encoder', { model: id }));
  }
  assertDim(manifest, runner.dim);
  const { preprocessing } = manifest;
  if (runner.kind === 'precomputed' || typeof preprocessing !== 'object') return;
  const { data, error } = imageInput.safeParse(preprocessing);
  if (!data) {
    const [issue] = error.issues;
    const place = issue?.path.join('.') ?? '';
    const detail = issue?.message ?? '';
    throw new AppError('invalid_request', message('results_preprocessing_invalid', { place, detail }));
  }
  const names = differences(data, runner.input);
  if (names.length === 0) return;
  throw new AppError(
    'invalid_request',
    message('results_of_other_preprocessing', { model: id, names: names.join(', ') }),
  );
}

function assertDim({ dim = 0, model }: ResultManifest, requested: number): void {
  if (dim === requested) return;
  throw new AppError('invalid_request', message('results_of_other_dim', { found: dim, model: model.id, requested }));
}

/** Names of the settings that differ, except the name of the graph's input. */
function differences(stated: ImageInput, requested: ImageInput): string[] {
  const names = new Set([...Object.keys(stated), ...Object.keys(requested)] as (keyof ImageInput)[]);
  names.delete('name');
  return [...names].filter((name) => JSON.stringify(stated[name]) !== JSON.stringify(requested[name]));
}
