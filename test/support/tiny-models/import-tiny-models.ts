import { expect } from 'vitest';
import { type Api, json } from '../api.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type TinyModel, writeTinyModel } from './generate.ts';

/**
 * Gives a server models, as a person does who imports a folder of theirs.
 * @param finished As of {@link temporaryFolder}.
 */
export async function importTinyModels(
  api: Api,
  names: readonly TinyModel[],
  finished?: Parameters<typeof temporaryFolder>[0],
): Promise<void> {
  const folder = await temporaryFolder(finished);
  for (const name of names) writeTinyModel(folder, name);
  const { body } = await api.call('POST', '/models/import', json({ path: folder }));
  expect(body.refused).toEqual([]);
}
