/** Writes the product's graphs to `resources/models`; run by `npm run generate:graphs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findResources } from '../../src-main/infra/resources.ts';
import { productGraphs } from './product-graphs.ts';

for (const [fileName, bytes] of productGraphs()) {
  writeFileSync(join(findResources(), 'models', fileName), bytes);
  console.log(`wrote resources/models/${fileName}, ${bytes.length} bytes`);
}
