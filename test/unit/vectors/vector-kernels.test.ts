import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resourceFile } from '../../../src-main/infra/resources.ts';
import { PairwiseProducts } from '../../../src-main/infra/vectors/built-in/pairwise-products.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { innerProduct, seededRandom } from '../../../src-main/infra/vectors/rows.ts';
import { codeBytes, writeCodedQuery } from '../../../src-main/infra/vectors/vector-codes.ts';
import { vectorKernels } from '../../../src-main/infra/vectors/vector-kernels.ts';
import { compileKernels, KERNELS } from '../../../tools/kernels/compile-kernels.ts';

test.each(KERNELS)('the included %s equal those built from their source, byte for byte', async (name) => {
  const file = readFileSync(resourceFile('kernels', `${name}.wasm`));
  expect(file.equals(await compileKernels(name)), 'npm run generate:kernels').toBe(true);
});

test.each([1, 3, 4, 5, 9, 33, 67])('the kernels score %i rows in any order like plain arithmetic', (n) => {
  const dim = 64;
  const [vectorBytes, bytes] = [dim * 4, codeBytes(dim)];
  const [query, codedQuery, out, vectors, codes] = [1024, 2048, 4096, 8192, 32_768];
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const kernels = vectorKernels(memory);
  const floats = new Float32Array(memory.buffer);
  const random = seededRandom(7);
  for (let at = 0; at < n * dim; at += 1) floats[vectors / 4 + at] = random() - 0.5;
  // A zero vector has zero codes.
  floats.fill(0, vectors / 4, vectors / 4 + dim);
  for (let at = 0; at < dim; at += 1) floats[query / 4 + at] = random() - 0.5;
  const rows = Array.from({ length: n }, (_, at) => (at * 7 + 3) % n);
  new Int32Array(memory.buffer).set(rows);
  const vectorAt = (at: number) => floats.subarray(at / 4, at / 4 + dim);
  const expected = rows.map((row) =>
    vectorAt(vectors + row * vectorBytes).reduce((sum, value, at) => sum + value * (floats[query / 4 + at] ?? 0), 0),
  );

  kernels.dotProducts(query, 0, n, vectors, vectorBytes, out);
  for (const [at, value] of expected.entries()) expect(floats[out / 4 + at]).toBeCloseTo(value, 5);

  kernels.encode(vectors, n, vectorBytes, codes, bytes);
  writeCodedQuery(memory.buffer, codedQuery, vectorAt(query));
  kernels.codeProducts(codedQuery, 0, n, codes, bytes, out);
  for (const [at, value] of expected.entries())
    expect(Math.abs((floats[out / 4 + at] ?? 0) - value)).toBeLessThan(0.02);
});

test.each([1, 8, 24, 40, 64])(
  'vectors of %i components, several in one memory, have the products of plain arithmetic',
  (dim) => {
    const n = 6;
    const random = seededRandom(dim);
    const vectors = Float32Array.from({ length: n * dim }, () => random() - 0.5);
    const products = new PairwiseProducts(dim, n);
    for (let at = 0; at < n; at += 1) products.put(at, new HeldVectors(vectors, dim), at);
    for (let at = 0; at < n; at += 1) {
      for (const [nth, product] of products.withLater(at, n).entries()) {
        expect(product).toBeCloseTo(innerProduct(vectors, at * dim, vectors, (at + 1 + nth) * dim, dim), 5);
      }
    }
  },
);
