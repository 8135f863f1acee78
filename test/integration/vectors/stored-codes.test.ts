import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExactVectorIndex } from '../../../src-main/infra/vectors/built-in/exact-vector-index.ts';
import { segmentsOf, vectorsFolder } from '../../../src-main/infra/vectors/built-in/segments-of.ts';
import { SharedVectors, sharedVectorMemory } from '../../../src-main/infra/vectors/built-in/shared-vectors.ts';
import { VectorSegments } from '../../../src-main/infra/vectors/built-in/vector-segments.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { codeBytes } from '../../../src-main/infra/vectors/vector-codes.ts';
import { looksOfItems } from '../../support/index-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { manifold } from '../../unit/vectors/make-vectors.ts';

const DIM = 128;

let generation: string;
let segments: VectorSegments;

const address = looksOfItems(DIM);
const folderOf = (folder: string) => vectorsFolder(folder, 'looks', 'IMAGES');
const codesFile = () => join(folderOf(generation), '000000.i8');
/** Codes of rows as they are stored; undefined when they cannot be used. */
const stored = (first: number, n: number) => {
  const codes = new Uint8Array(n * codeBytes(DIM));
  return segments.readCodes(first, n, codes) ? codes : undefined;
};

beforeEach(async () => {
  generation = await temporaryFolder();
  segments = VectorSegments.open(folderOf(generation), address);
});

afterEach(() => segments.close());

describe('the stored codes of vectors', () => {
  it('are loaded in place of the vectors, with the same results', async () => {
    const count = 70_000;
    const vectors = manifold({ count, dim: DIM, latent: 16, seed: 4 });
    segments.writeRows(0, vectors);
    expect(segments.hasCodes(count)).toBe(true);
    expect(segments.hasCodes(count + 1)).toBe(false);
    const search = async (hasCodes: boolean) => {
      const shared = new SharedVectors(DIM, sharedVectorMemory());
      let nRead = 0;
      const read = (row: number, n: number) => {
        nRead += n;
        return vectors.subarray(row * DIM, (row + n) * DIM);
      };
      shared.extend(count, read, 0, hasCodes ? (row, n, into) => segments.readCodes(row, n, into) : undefined);
      shared.extendCodes(count);
      const nLoaded = nRead;
      const query = vectors.subarray(31 * DIM, 32 * DIM);
      const found = await new ExactVectorIndex(shared).search(
        query,
        50,
        RowSet.where(count, () => true),
      );
      shared.close();
      return { nLoaded, found };
    };
    const [made, loaded] = [await search(false), await search(true)];
    expect(made.nLoaded).toBe(count);
    expect(loaded.nLoaded).toBe(0);
    expect(loaded.found).toEqual(made.found);
    expect(loaded.found[0]?.row).toBe(31);
  });

  it('follow their vectors: replaced, removed, and reserved for later', () => {
    const vectors = manifold({ count: 300, dim: DIM, latent: 8, seed: 1 });
    segments.writeRows(0, vectors.subarray(0, 200 * DIM));
    const before = stored(10, 1);
    segments.writeRows(10, vectors.subarray(250 * DIM, 251 * DIM));
    segments.remove(Int32Array.of(20));
    segments.extendTo(300);
    segments.writeRows(299, vectors.subarray(299 * DIM));
    const now = stored(0, 300);
    expect(now).toBeDefined();
    const codeOf = (row: number) => now?.subarray(row * codeBytes(DIM), (row + 1) * codeBytes(DIM));
    expect(codeOf(10)).not.toEqual(before);
    for (const row of [20, 250]) expect(codeOf(row)?.every((byte) => byte === 0)).toBe(true);
    segments.remove(Int32Array.from({ length: 200 }, (_, at) => 100 + at));
    expect(stored(0, 100)).toBeDefined();
    expect(stored(0, 101)).toBeUndefined();
  });

  it.each([
    { where: 'a component', at: 3 },
    { where: 'the scale', at: DIM + 1 },
    { where: 'the seal', at: DIM + 5 },
  ])('are not used when $where is damaged', ({ at }) => {
    segments.writeRows(0, manifold({ count: 100, dim: DIM, latent: 8, seed: 1 }));
    const bytes = readFileSync(codesFile());
    const place = 40 * codeBytes(DIM) + at;
    bytes.writeUInt8((bytes[place] ?? 0) ^ 4, place);
    writeFileSync(codesFile(), bytes);
    expect(stored(0, 100)).toBeUndefined();
    expect(stored(0, 40)).toBeDefined();
    expect(stored(41, 59)).toBeDefined();
  });

  it('are not used when their vector was taken out of use, or another program changed the vectors', () => {
    const vectors = manifold({ count: 100, dim: DIM, latent: 8, seed: 1 });
    segments.writeRows(0, vectors);
    segments.blank(7);
    expect(stored(0, 100)).toBeUndefined();
    segments.writeRows(7, vectors.subarray(7 * DIM, 8 * DIM));
    expect(stored(0, 100)).toBeDefined();
    const codes = readFileSync(codesFile());
    segments.writeRows(0, vectors.subarray(50 * DIM));
    writeFileSync(codesFile(), codes);
    expect(stored(0, 50)).toBeUndefined();
  });

  it('are taken along with the vectors, unless data of an earlier version has none for its first rows', () => {
    const vectors = manifold({ count: 100, dim: DIM, latent: 8, seed: 1 });
    const codesTaken = (rows: number) =>
      segmentsOf(generation, address, rows).filter(({ path }) => path.endsWith('.i8'));
    segments.writeRows(0, vectors.subarray(0, 60 * DIM));
    expect(codesTaken(60)).toEqual([
      { path: join(folderOf(''), '000000.i8'), bytes: 60 * codeBytes(DIM), is_growing: true },
    ]);
    segments.close();
    rmSync(codesFile());
    expect(codesTaken(60)).toEqual([]);
    expect(segments.hasCodes(60)).toBe(false);
    expect(stored(0, 60)).toBeUndefined();
    segments.writeRows(60, vectors.subarray(60 * DIM));
    expect(stored(60, 40)).toBeDefined();
    expect(stored(0, 100)).toBeUndefined();
  });

  it('tell which rows may have no vector: all that have none, and those whose code is missing', () => {
    const vectors = manifold({ count: 100, dim: DIM, latent: 8, seed: 1 });
    vectors.fill(0, 30 * DIM, 31 * DIM);
    segments.writeRows(0, vectors);
    segments.remove(Int32Array.of(20));
    segments.blank(40);
    segments.extendTo(103);
    expect([...segments.rowsWithoutCode(103)]).toEqual([20, 30, 40, 100, 101, 102]);
    segments.close();
    rmSync(codesFile());
    expect([...segments.rowsWithoutCode(103)]).toEqual([...Array(103).keys()]);
  });

  it('are none for short vectors, whose codes are hardly smaller', async () => {
    const folder = folderOf(await temporaryFolder());
    const short = VectorSegments.open(folder, looksOfItems(16));
    short.writeRows(0, manifold({ count: 50, dim: 16, latent: 4, seed: 1 }));
    expect(short.hasCodes(50)).toBe(false);
    expect(short.readCodes(0, 50, new Uint8Array(50 * codeBytes(16)))).toBe(false);
    short.close();
  });
});
