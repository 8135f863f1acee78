/** Writes `resources/kernels/vector-kernels.wasm`; run by `npm run generate:kernels`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findResources } from '../../src-main/infra/resources.ts';
import { compileKernels } from './compile-kernels.ts';

const folder = join(findResources(), 'kernels');
const bytes = await compileKernels();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'vector-kernels.wasm'), bytes);
console.log(`wrote resources/kernels/vector-kernels.wasm, ${bytes.length} bytes`);
