import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { HEAP_ARGUMENTS } from '../../src-main/infra/semi-space.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The lines of a file that start Node. */
function startsIn(file: string): string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.filter((line) => line.includes('-semi-space-size') || line.includes('start.ts'));
}

test.each([
  'package.json',
  'tools/package/debian/vitrine',
  'integrations/deploy/Containerfile',
  'integrations/kubernetes/inference.yaml',
])('%s starts Node with the arguments of all processes', (file) => {
  const starts = startsIn(file);
  expect(starts).not.toEqual([]);
  for (const start of starts) for (const argument of HEAP_ARGUMENTS) expect(start).toContain(argument);
});
