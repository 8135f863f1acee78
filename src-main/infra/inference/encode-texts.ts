import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { TextsPayload } from '../local-jobs/child-protocol.ts';
import type { JobContext } from '../local-jobs/child-runtime.ts';
import { openWhereItCan } from './model-session.ts';
import { loadFailure } from './open-image-model.ts';
import { textSideOf } from './text-side.ts';
import { warm } from './warm-models.ts';

/** Number of texts between two progress reports. */
const TEXTS_AT_ONCE = 64;

/** Handler of `encode_texts` jobs. */
export async function encodeTexts(payload: unknown, context: JobContext): Promise<Float32Array[]> {
  const { texts, model, session } = payload as TextsPayload;
  const side = textSideOf(model.runner);
  if (side === undefined) {
    throw new AppError('invalid_request', message('model_without_texts', { model: model.model_id }));
  }
  const key = JSON.stringify(['texts', model.folder, side, session]);
  const encoder = await warm(key, async () => {
    try {
      const { openTextEncoder } = await import('./text-encoder.ts');
      const { opened } = await openWhereItCan(session, (settings) =>
        openTextEncoder(model.folder, side.tower, settings),
      );
      return opened;
    } catch (error) {
      throw await loadFailure(model, error);
    }
  });
  await context.started(0);
  const vectors: Float32Array[] = [];
  for (let first = 0; first < texts.length && !context.signal.aborted; first += TEXTS_AT_ONCE) {
    vectors.push(...(await encoder.encode(texts.slice(first, first + TEXTS_AT_ONCE))));
    context.progress(first / texts.length);
  }
  if (vectors.some((vector) => vector.length !== side.dim)) {
    throw new AppError('unavailable', message('model_of_other_dim', { model: model.model_id }));
  }
  return vectors;
}
