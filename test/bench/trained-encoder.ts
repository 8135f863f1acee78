import type { EncoderList } from '../../src-main/contract/schemas/model.ts';
import { type Api, json } from '../support/api.ts';
import { findModels } from '../support/models.ts';

/** Imports the available models and returns the best trained encoder that supports texts, or undefined if there is none. */
export async function importEncoder(api: Api): Promise<string | undefined> {
  const models = findModels();
  if (!('root' in models)) return undefined;
  await api.call('POST', '/models/import', json({ path: models.root }));
  const { body } = await api.get<EncoderList>('/encoders');
  const usable = body.encoders.filter(({ installed, finds_texts }) => installed && finds_texts);
  return (usable.find(({ model_id }) => model_id === body.default_encoder) ?? usable[0])?.model_id;
}
