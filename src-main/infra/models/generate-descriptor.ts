/** Writes the embedded visual descriptor into `resources/models`; run by `npm run generate:descriptor`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDescriptorModel } from './descriptor-graph.ts';

const target = fileURLToPath(new URL('../../../resources/models/visual-descriptor.onnx', import.meta.url));
const bytes = buildDescriptorModel();
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, bytes);
console.log(`wrote resources/models/visual-descriptor.onnx, ${bytes.length} bytes`);
