import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generatedTables, withTable } from './generated-tables.ts';

/** Implements `npm run generate:docs`: writes the tables of the documentation that are generated from the code. */
const root = resolve(import.meta.dirname, '..', '..');
for (const generated of generatedTables(root)) {
  const file = join(root, generated.file);
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), generated));
}
