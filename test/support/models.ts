import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds the shared models: `VITRINE_TEST_MODELS`, or `../shared/models` beside the checkout. Tests that need the models skip with the given
 * reason if they are missing.
 */
export function findModels(): { root: string } | { missing: string } {
  const beside = fileURLToPath(new URL('../../../shared/models', import.meta.url));
  const root = resolve(process.env.VITRINE_TEST_MODELS ?? beside);
  if (existsSync(resolve(root, 'yolox-nano', 'yolox_nano.onnx'))) return { root };
  return { missing: 'no shared models: set VITRINE_TEST_MODELS to their folder' };
}
