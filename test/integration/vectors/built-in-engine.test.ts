import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SpaceAddress } from '../../../src-main/core/ports/vector-engine.ts';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { noteFault } from '../../support/fault-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { describeEngine } from './engine-conformance.ts';

const ENGINE = new URL('../../../src-main/infra/vectors/built-in/built-in-engine.ts', import.meta.url).href;

/** Limit of the engine under test: the tests with an index have more rows, so that it searches in inverted lists. */
const EXACT_ROWS = 1000;

/** Script that stores vectors and kills its process after they were acknowledged. */
const STORE_AND_DIE = `
  import { readFileSync } from 'node:fs';
  import { BuiltInEngine } from ${JSON.stringify(ENGINE)};
  const [folder, address, rowsFile, vectorsFile] = process.argv.slice(1);
  const read = (file, Type) => new Type(new Uint8Array(readFileSync(file)).buffer);
  const space = new BuiltInEngine({ folder }).open(JSON.parse(address));
  await space.upsert(read(rowsFile, Int32Array), read(vectorsFile, Float32Array));
  process.kill(process.pid, 'SIGKILL');`;

for (const { name, limits } of [
  { name: 'built-in', limits: { exactRows: EXACT_ROWS } },
  { name: 'built-in, with vectors in files', limits: { exactRows: EXACT_ROWS, mostHeldBytes: 0 } },
]) {
  describeEngine({
    name,
    exact_rows: EXACT_ROWS,
    start: async () => {
      const folder = await temporaryFolder();
      return {
        open: (state) => new BuiltInEngine({ folder, state, ...limits }),
        files: { folder, openAt: (at) => new BuiltInEngine({ folder: at, ...limits }) },
        storeAndDie: (address, rows, vectors) => storeAndDie(folder, address, rows, vectors),
      };
    },
  });
}

async function storeAndDie(
  folder: string,
  address: SpaceAddress,
  rows: Int32Array,
  vectors: Float32Array,
): Promise<void> {
  const [rowsFile, vectorsFile] = [join(folder, 'rows'), join(folder, 'given')];
  await writeFile(rowsFile, rows);
  await writeFile(vectorsFile, vectors);
  noteFault();
  const args = [folder, JSON.stringify(address), rowsFile, vectorsFile];
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STORE_AND_DIE, ...args]);
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
}

it('creates no folder until a vector is written', async () => {
  const folder = join(await temporaryFolder(), 'deleted');
  const space = new BuiltInEngine({ folder }).open({
    space: 'looks',
    entity_type: 'IMAGES',
    encoder_id: 'one',
    dim: 2,
  });
  expect(await space.count()).toBe(0);
  expect(() => space.vectorsOf(1)).toThrow('the vectors end before the row');
  expect(existsSync(folder)).toBe(false);
  await space.upsert(Int32Array.of(0), Float32Array.of(1, 0));
  expect(await space.count()).toBe(1);
  expect(existsSync(folder)).toBe(true);
});
