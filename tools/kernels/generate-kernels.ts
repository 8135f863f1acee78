/** Writes the files of `resources/kernels`; run by `npm run generate:kernels`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findResources } from '../../src-main/infra/resources.ts';
import { compileKernels, KERNELS } from './compile-kernels.ts';

const folder = join(findResources(), 'kernels');
mkdirSync(folder, { recursive: true });
for (const name of KERNELS) {
  const bytes = await compileKernels(name);
  writeFileSync(join(folder, `${name}.wasm`), bytes);
  console.log(`wrote resources/kernels/${name}.wasm, ${bytes.length} bytes`);
}
