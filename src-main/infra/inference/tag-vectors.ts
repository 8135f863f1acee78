import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { FoundLabel } from '../../core/ports/inference.ts';
import type { VectorsPayload } from '../local-jobs/child-protocol.ts';
import type { JobContext } from '../local-jobs/child-runtime.ts';
import { loadFailure } from './open-image-model.ts';
import { openWordTagger } from './zero-shot.ts';

/** Handler of `tag_vectors` jobs. */
export async function tagVectors(payload: unknown, context: JobContext): Promise<FoundLabel[][]> {
  const { vectors, model, session } = payload as VectorsPayload;
  const { folder, runner } = model;
  if (runner.kind !== 'zero_shot') {
    throw new AppError('invalid_request', message('model_without_words', { model: model.model_id }));
  }
  const alive = () => context.progress(0);
  const tagger = await openWordTagger(folder, runner, { session, alive }).catch(async (error: unknown) => {
    throw await loadFailure(model, error);
  });
  await context.started(0);
  const { dim } = runner.encoder;
  return Array.from({ length: vectors.length / dim }, (_, at) => {
    const vector = vectors.subarray(at * dim, (at + 1) * dim);
    return vector.some((value) => value !== 0) ? tagger.labelsOf(vector) : [];
  });
}
