import { expect } from 'vitest';
import { type Api, json } from '../api.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type TinyModel, writeTinyModel } from './generate.ts';

/**
 * Imports models into a server in the same way as a user imports a folder of models.
 * @param finished As in {@link temporaryFolder}.
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
