import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds the shared media: `VITRINE_TEST_MEDIA`, or `../shared/media` beside the checkout. Tests that need the media skip with the given
 * reason if they are missing.
 */
export function findMedia(): { root: string } | { missing: string } {
  const beside = fileURLToPath(new URL('../../../shared/media', import.meta.url));
  const root = resolve(process.env.VITRINE_TEST_MEDIA ?? beside);
  if (existsSync(resolve(root, 'near-duplicates', 'PAIRS.csv'))) return { root };
  return { missing: 'no shared media: set VITRINE_TEST_MEDIA to their folder' };
}
