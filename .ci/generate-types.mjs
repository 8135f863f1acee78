// Runs after each `npm install` of a checkout: writes the types of the TypeScript client, which are not committed. An install without the
// development packages, or from a package without the generator, needs none. Without the types only `npm run lint` does not work, and it
// writes them again: a failure does not fail the install.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const generator = at('tools/clients/generate-clients.ts');
if (existsSync(generator) && existsSync(at('node_modules/openapi-typescript'))) {
  const { status } = spawnSync('node', [generator, '--types'], { stdio: 'inherit' });
  if (status !== 0)
    process.stderr.write('The types of the TypeScript client could not be written; npm run lint writes them.\n');
}
