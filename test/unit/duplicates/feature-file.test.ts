import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FeatureFile } from '../../../src-main/infra/duplicates/feature-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const corners = (count: number) => ({
  points: Float32Array.from({ length: count * 2 }, (_, at) => at + 0.25),
  descriptions: Uint8Array.from({ length: count * 32 }, (_, at) => at % 251),
});
const thumbnail = (row: number) => ({ row, path: '/data/000000.pack', offset: row * 1000, bytes: 900 });

it('corners are read as they were written, in any order of rows and after the file is opened again', async () => {
  const path = join(await temporaryFolder(), 'corners');
  const first = new FeatureFile(path);
  first.write(thumbnail(7), corners(150));
  first.write(thumbnail(2), corners(0));
  first.close();
  const second = new FeatureFile(path);
  expect(second.read(thumbnail(7))).toEqual(corners(150));
  expect(second.read(thumbnail(2))).toEqual(corners(0));
  expect(second.read(thumbnail(3))).toBeUndefined();
  expect(second.read(thumbnail(9))).toBeUndefined();
  second.close();
  expect(second.read(thumbnail(7))).toBeUndefined();
});

it('corners of another item with the same row, and of a record that is not complete, are ignored', async () => {
  const path = join(await temporaryFolder(), 'corners');
  const stored = new FeatureFile(path);
  stored.write(thumbnail(1), corners(20));
  expect(stored.read({ ...thumbnail(1), offset: 5 })).toBeUndefined();
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  await file.truncate(size - 1);
  expect(stored.read(thumbnail(1))).toBeUndefined();
  await file.truncate(size);
  expect(stored.read(thumbnail(1))).toBeUndefined();
  await file.close();
  stored.close();
});
