import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import type { Log } from '../../../core/ports/log.ts';
import { EMBEDDING_SPACES } from '../../../core/ports/vector-space.ts';
import { isSqliteError, openReadOnly } from '../../sqlite/open-database.ts';
import { type EngineLocation, openVectorEngine } from '../../vectors/open-engine.ts';
import { engineLocation } from '../vectors/vector-spaces.ts';
import { MetaRepository } from './meta.repository.ts';

/** A generation, or an attempt to create one, on which no engine was ever opened. */
const GENERATION = /^(?<number>\d+)(?<partial>\.partial)?$/;

/**
 * Deletes the unneeded generations in a dataset's folder, each after its vectors, and the remains of attempts to create unneeded ones.
 * @returns Whether all are deleted. One stays if its vectors cannot be deleted, as when their engine cannot be reached.
 */
export async function deleteGenerations(
  datasetFolder: string,
  isUnneeded: (generation: number) => boolean,
  { log, openEngine = openVectorEngine }: { log: Log; openEngine?: typeof openVectorEngine },
): Promise<boolean> {
  let areAllDeleted = true;
  for (const name of await readdir(datasetFolder)) {
    const found = GENERATION.exec(name)?.groups;
    if (!found || !isUnneeded(Number(found.number))) continue;
    const folder = join(datasetFolder, name);
    try {
      if (found.partial === undefined) await dropVectors(folder, openEngine);
    } catch (error) {
      log.warn({ err: error, folder }, 'a generation stays until the next start: its vectors could not be deleted');
      areAllDeleted = false;
      continue;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return areAllDeleted;
}

/** Deletes the vectors of a generation, which its engine may store elsewhere. */
async function dropVectors(folder: string, openEngine: typeof openVectorEngine): Promise<void> {
  const location = findEngine(folder);
  if (!location) return;
  const engine = openEngine(location);
  try {
    for (const space of EMBEDDING_SPACES) {
      for (const entityType of ENTITY_TYPES) await engine.drop({ space, entity_type: entityType });
    }
  } finally {
    await engine.close();
  }
}

/** Returns the engine that a generation's database names; undefined if the database is missing or damaged. */
function findEngine(folder: string): EngineLocation | undefined {
  const file = join(folder, 'data.db');
  if (!existsSync(file)) return undefined;
  try {
    const db = openReadOnly(file);
    try {
      return engineLocation(new MetaRepository(db), folder);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isSqliteError(error)) return undefined;
    throw error;
  }
}
