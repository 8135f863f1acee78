import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Runner, RunnerOf } from '../../contract/schemas/model-definition.ts';
import type { ResultKind } from '../../contract/schemas/results.ts';
import type { KnownModel, ModelLibrary } from '../ports/model.ts';

type RayRunner = RunnerOf<'image_encoder' | 'classifier' | 'detector'>;

/** Kinds of results of the models that the program for Ray applies. */
export const RAY_RESULTS = {
  image_encoder: 'embeddings',
  classifier: 'labels',
  detector: 'boxes',
} as const satisfies Record<RayRunner['kind'], ResultKind>;

/** Whether the program for Ray can apply a model. */
export function runsOnRay(runner: Runner): runner is RayRunner {
  return Object.hasOwn(RAY_RESULTS, runner.kind);
}

/** Returns an installed model that runs on Ray. @throws AppError `invalid_request`. */
export async function findRayModel(
  library: ModelLibrary,
  modelId: string,
): Promise<Pick<KnownModel, 'definition' | 'package'> & { runner: RayRunner }> {
  const known = await library.find(modelId);
  if (known?.installed && runsOnRay(known.definition.runner)) return { ...known, runner: known.definition.runner };
  throw new AppError('invalid_request', message('ray_needs_model', { model: known?.definition.name ?? modelId }));
}
