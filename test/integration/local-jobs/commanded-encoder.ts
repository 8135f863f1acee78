import type { Encoder } from '../../../src-main/core/ports/encoder.ts';
import { addVisualDescriptor, localDescriptor } from '../../../src-main/infra/inference/visual-descriptor.ts';
import { localModels } from '../../support/compute.ts';

/** An encoder request for the misbehaving worker: a journal, and a command for the job as a whole. */
export function commandedEncoder(journal: string, command = 'test'): Encoder {
  const model = localModels.add({ ...localDescriptor(''), model_id: command, folder: journal });
  return { ...addVisualDescriptor(localModels, ''), encoder_id: command, model };
}
