import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { CandidatePair } from '../../../src-main/core/ports/duplicates.ts';
import { packFile } from '../../../src-main/infra/dataset-store/disk/thumbnail-packs.ts';
import { readCandidates } from '../../../src-main/infra/duplicates/candidate-file.ts';
import { type CandidateInput, findCandidates } from '../../../src-main/infra/duplicates/find-candidates.ts';
import { TrimmedWriter } from '../../../src-main/infra/duplicates/trimmed-file.ts';
import { DESCRIPTOR_DIM } from '../../../src-main/infra/inference/descriptor-shape.ts';
import { runIndexJob } from '../../../src-main/infra/vectors/index-job.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';
import { image } from '../../support/images.ts';
import { indexFiles, indexRequest, looksOfItems, storeVectors } from '../../support/index-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COUNT = 40;

/** Returns random unit vectors, which are dissimilar. */
function randomVectors(count: number): Float32Array {
  const random = seededRandom(5);
  const vectors = Float32Array.from({ length: count * DESCRIPTOR_DIM }, () => random() - 0.5);
  for (let row = 0; row < count; row += 1) {
    const vector = vectors.subarray(row * DESCRIPTOR_DIM, (row + 1) * DESCRIPTOR_DIM);
    const norm = Math.hypot(...vector);
    vector.set(vector.map((value) => value / norm));
  }
  return vectors;
}

/** Indexed images that are all different. Letterboxed images resemble another image after their borders are trimmed. */
class Indexed {
  readonly #folder: string;
  readonly #vectors = randomVectors(COUNT);
  readonly #letterboxed: readonly number[];
  /** Row of the original image of a letterboxed one. */
  readonly #originalOf: (row: number) => number;
  #fresh: readonly number[] = [];

  constructor(folder: string, letterboxed: readonly number[], originalOf: (row: number) => number) {
    this.#folder = folder;
    this.#letterboxed = letterboxed;
    this.#originalOf = originalOf;
  }

  /** Compares the rows from `fromRow` on, as the task does after an addition. */
  async find(fromRow: number, count: number, trimmedIn: string): Promise<CandidatePair[]> {
    const folder = join(this.#folder, `generation-${fromRow}`);
    const file = (name: string) => join(folder, name);
    await storeVectors(folder, this.#vectors.subarray(0, count * DESCRIPTOR_DIM), DESCRIPTOR_DIM);
    const request = indexRequest(folder, {
      dim: DESCRIPTOR_DIM,
      count,
      linkage_thresholds: [0.9, 0.8, 0.7, 0.6, 0.5],
    });
    await runIndexJob(request, { threads: 1 });
    const rows = Array.from({ length: count }, (_, row) => row);
    this.#fresh = rows.slice(fromRow).filter((row) => this.#letterboxed.includes(row));
    const input: CandidateInput = {
      engine: { kind: 'built-in', folder },
      vectors: looksOfItems(DESCRIPTOR_DIM),
      index: { version: 1, count },
      clusters_file: indexFiles(folder, 1).clusters,
      from_row: fromRow,
      videos: new Int32Array(count).fill(-1),
      originals: Int32Array.from(rows),
      thumbnails: await this.#thumbnails(rows.slice(fromRow)),
      candidates_file: file('pairs'),
      known_trimmed_file: trimmedIn,
      features_file: file('corners'),
      trimmed_file: this.trimmedOf(fromRow),
    };
    await findCandidates(
      { index_version: 1, count, input },
      { threads: 1, describe: (images) => Promise.resolve(images.map(() => this.#nextTrimmed())) },
    );
    return readCandidates(file('pairs'), 0, 100).pairs;
  }

  trimmedOf(fromRow: number): string {
    return join(this.#folder, `trimmed-${fromRow}`);
  }

  /** Trimmed images are described in row order. */
  #nextTrimmed(): Float32Array {
    const [row = 0, ...others] = this.#fresh;
    this.#fresh = others;
    const original = this.#originalOf(row);
    return this.#vectors.slice(original * DESCRIPTOR_DIM, (original + 1) * DESCRIPTOR_DIM);
  }

  async #thumbnails(rows: readonly number[]) {
    const folder = join(this.#folder, `thumbnails-${rows[0]}`);
    await mkdir(folder);
    const webps = await Promise.all(
      rows.map(async (row) => {
        const plain = sharp(await image(row, 160, 120));
        const bars = { top: 40, bottom: 40, background: 'black' };
        return (this.#letterboxed.includes(row) ? plain.extend(bars) : plain).webp().toBuffer();
      }),
    );
    await writeFile(packFile(folder, 0), Buffer.concat(webps));
    const bytes = Int32Array.from(webps, ({ length }) => length);
    const offsets = new Float64Array(rows.length);
    for (let at = 1; at < rows.length; at += 1) offsets[at] = (offsets[at - 1] ?? 0) + (bytes[at - 1] ?? 0);
    return { folder, packs: new Int32Array(rows.length), offsets, bytes };
  }
}

it('compares images with a border without it, whichever of the two came first', async () => {
  const folder = await temporaryFolder();
  // Image 3 is image 30 in a letterbox, and image 35 is a letterboxed image 5.
  const indexed = new Indexed(folder, [3, 35], (row) => (row === 3 ? 30 : 5));
  expect(await indexed.find(0, 20, noneTrimmed(folder))).toEqual([]);
  const found = await indexed.find(20, COUNT, indexed.trimmedOf(0));
  expect(found.toSorted((one, other) => one.a - other.a)).toEqual([pair(3, 30), pair(5, 35)]);
});

it('finds images whose borders differ by their content', async () => {
  const folder = await temporaryFolder();
  // Images 3 and 7 are letterboxed copies of one image that does not exist without a letterbox. Image 35 is a third copy.
  const indexed = new Indexed(folder, [3, 7, 35], () => 39);
  expect(await indexed.find(0, 20, noneTrimmed(folder))).toEqual([pair(3, 7)]);
  const later = await indexed.find(20, 38, indexed.trimmedOf(0));
  expect(later.toSorted((one, other) => one.a - other.a)).toEqual([pair(3, 35), pair(7, 35)]);
});

function pair(a: number, b: number): CandidatePair {
  return { a, b, is_mirrored: false, is_aligned: false };
}

function noneTrimmed(folder: string): string {
  const file = join(folder, 'none');
  const empty = new TrimmedWriter(file, DESCRIPTOR_DIM);
  empty.finish();
  empty.close();
  return file;
}
