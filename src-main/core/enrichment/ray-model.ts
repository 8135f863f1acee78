import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ModelDefinition, RunnerOf } from '../../contract/schemas/model-definition.ts';
import type { ResultKind } from '../../contract/schemas/results.ts';
import type { KnownModel, ModelLibrary } from '../ports/model.ts';

type RayRunner = RunnerOf<'image_encoder' | 'classifier' | 'detector' | 'captioner'>;

/** Kinds of results of the models that the program for Ray applies. */
export const RAY_RESULTS = {
  image_encoder: 'embeddings',
  classifier: 'labels',
  detector: 'boxes',
  captioner: 'captions',
} as const satisfies Record<RayRunner['kind'], ResultKind>;

/** Returns how the program for Ray runs a model; undefined if it cannot. */
export function rayRunnerOf({ type, runner }: Pick<ModelDefinition, 'type' | 'runner'>): RayRunner | undefined {
  // The manifest lists items, not their objects.
  const isPossible = type !== 'CAPTION_OBJECTS' && Object.hasOwn(RAY_RESULTS, runner.kind);
  return isPossible ? (runner as RayRunner) : undefined;
}

/** Returns an installed model that runs on Ray. @throws AppError `invalid_request`. */
export async function findRayModel(
  library: ModelLibrary,
  modelId: string,
): Promise<Pick<KnownModel, 'definition' | 'package'> & { runner: RayRunner }> {
  const known = await library.find(modelId);
  const runner = known?.installed === true ? rayRunnerOf(known.definition) : undefined;
  if (known && runner) return { ...known, runner };
  throw new AppError('invalid_request', message('ray_needs_model', { model: known?.definition.name ?? modelId }));
}
