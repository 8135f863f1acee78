import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findResources } from '../../src-main/infra/resources.ts';
import { productGraphs } from '../../tools/graphs/product-graphs.ts';

const folder = join(findResources(), 'models');

test('the included graphs equal those built from their descriptions, byte for byte', () => {
  const graphs = productGraphs();
  for (const [fileName, bytes] of graphs) {
    expect(readFileSync(join(folder, fileName)).equals(bytes), `${fileName}: npm run generate:graphs`).toBe(true);
  }
  expect(readdirSync(folder).sort()).toEqual([...graphs.keys()].sort());
});
