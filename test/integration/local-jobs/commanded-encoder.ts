import type { Encoder } from '../../../src-main/core/ports/encoder.ts';
import { visualDescriptor } from '../../../src-main/infra/inference/visual-descriptor.ts';

/** What the misbehaving worker takes for an encoder: a journal, and a command for the job as a whole. */
export function commandedEncoder(journal: string, command = 'test'): Encoder {
  const { model, ...encoder } = visualDescriptor('');
  return { ...encoder, encoder_id: command, model: { ...model, model_id: command, folder: journal } };
}
