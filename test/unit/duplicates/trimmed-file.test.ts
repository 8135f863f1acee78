import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  packVector,
  readTrimmed,
  TrimmedWriter,
  unpackVector,
} from '../../../src-main/infra/duplicates/trimmed-file.ts';
import { innerProduct, seededRandom } from '../../../src-main/infra/vectors/rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DIM = 48;

it('vectors keep their direction with one byte per dimension', () => {
  const random = seededRandom(3);
  const vector = Float32Array.from({ length: DIM }, () => random() - 0.5);
  const unpacked = new Float32Array(DIM);
  unpackVector(packVector(vector), unpacked);
  expect(innerProduct(unpacked, 0, unpacked, 0, DIM)).toBeCloseTo(1, 5);
  expect(innerProduct(unpacked, 0, vector, 0, DIM) / Math.hypot(...vector)).toBeGreaterThan(0.9999);
  // A thumbnail that could not be described has a zero vector.
  unpackVector(packVector(new Float32Array(DIM)), unpacked);
  expect([...unpacked]).toEqual(Array.from({ length: DIM }, () => 0));
});

it('a file of vectors is read as it was written, and does not exist before it is finished', async () => {
  const file = join(await temporaryFolder(), 'trimmed');
  const written = Array.from({ length: 5000 }, (_, row) => ({
    row: row * 3,
    vector: Int8Array.from({ length: DIM }, (_value, at) => ((row * 7 + at * 11) % 255) - 127),
  }));
  const target = new TrimmedWriter(file, DIM);
  for (const one of written) target.add(one);
  expect(() => [...readTrimmed(file)]).toThrow('ENOENT');
  target.finish();
  target.close();
  expect([...readTrimmed(file)]).toEqual(written);
  await writeFile(file, 'something else');
  expect(() => [...readTrimmed(file)]).toThrow('not a file of trimmed vectors');
});
