import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { TryPayload } from '../local-jobs/child-protocol.ts';
import type { JobContext } from '../local-jobs/child-runtime.ts';
import { encodeTexts } from './encode-texts.ts';
import { loadModels } from './loaded-models.ts';
import type { LocalModel } from './local-models.ts';
import { textSideOf } from './text-side.ts';

const SIDE_PX = 64;
const GREY = 128;

/**
 * Handler of `try_model` jobs: loads a model and runs it once, on a grey image or a few words, so that a broken model is reported early.
 */
export async function tryModel(payload: unknown, context: JobContext): Promise<void> {
  const { model, session } = payload as TryPayload;
  if (model.runner.kind !== 'sentence_encoder') {
    const loaded = await loadModels([withFewLabels(model)], session, context);
    await context.started(0);
    const image = { data: Buffer.alloc(SIDE_PX * SIDE_PX * 3, GREY), width: SIDE_PX, height: SIDE_PX };
    const [outputs] = await loaded.apply([await loaded.prepare(image, image)]);
    if (outputs?.[0]?.kind === 'failed') {
      throw new AppError('unavailable', message('model_fails_on_image', { model: model.model_id }));
    }
  }
  if (textSideOf(model.runner)) await encodeTexts({ texts: ['a photo'], model, session }, context);
}

/** Shortens a tagger's list of labels, which may take long to encode. */
function withFewLabels(model: LocalModel): LocalModel {
  const { runner } = model;
  return runner.kind === 'zero_shot' ? { ...model, runner: { ...runner, labels: runner.labels.slice(0, 2) } } : model;
}
