import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ort from 'onnxruntime-node';
import { DEFAULT_PIXEL_LIMIT, decodeImage } from '../../src-main/infra/images/decode-image.ts';
import { prepareImage } from '../../src-main/infra/images/image-input.ts';
import {
  DESCRIPTOR_DIM,
  DESCRIPTOR_INPUT_NAME,
  DESCRIPTOR_INPUT_PX,
  DESCRIPTOR_OUTPUT_NAME,
} from '../../src-main/infra/inference/descriptor-shape.ts';
import { localDescriptor } from '../../src-main/infra/inference/visual-descriptor.ts';

const MODEL_FILE = fileURLToPath(new URL('../../resources/models/visual-descriptor.onnx', import.meta.url));
const BATCH = 32;
const NEIGHBOURS = 5;

export interface CosineRange {
  pairs: number;
  min: number;
  max: number;
}

export interface DescriptorQuality {
  /** Cosines by relation in PAIRS.csv. */
  exact: CosineRange;
  near: CosineRange;
  hard_near: CosineRange;
  similar_not_dup: CosineRange;
  different: CosineRange;
  /** Threshold halfway between the lowest cosine of exact and near and the highest cosine of the other relations. */
  cut: number;
  /** Lowest cosine of exact and near minus the highest of different and similar-not-dup; positive if one threshold separates them. */
  margin: number;
  /** Share of hard-near pairs (flips, rotations, letterboxes) at or above the threshold. The descriptor is not designed for them. */
  hard_near_found: number;
  /** Leave-one-out: mean share of the five nearest neighbours by cosine that have the same class. */
  clothing_precision_at_5: number;
  clothing_images: number;
  /** Inference only, one thread, batches of 32. */
  inference_ms_per_image: number;
}

interface Pair {
  a: string;
  b: string;
  relation: string;
}

function readPairs(mediaRoot: string): Pair[] {
  const lines = readFileSync(join(mediaRoot, 'near-duplicates', 'PAIRS.csv'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1);
  // Only the last two columns are ever quoted, so splitting at commas is safe for the first four.
  return lines.map((line) => {
    const [, a = '', b = '', relation = ''] = line.split(',');
    return { a, b, relation };
  });
}

function listClothing(mediaRoot: string): string[] {
  const found = readdirSync(join(mediaRoot, 'photos', 'clothing'), { recursive: true, encoding: 'utf8' });
  return found
    .filter((file) => /\.(jpe?g|png)$/i.test(file))
    .map((file) => join('photos', 'clothing', file))
    .sort();
}

/** Descriptors of the given files, by file name. */
async function describeAll(
  mediaRoot: string,
  files: string[],
): Promise<{ vectors: Map<string, Float32Array>; ms: number }> {
  const session = await ort.InferenceSession.create(MODEL_FILE, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const vectors = new Map<string, Float32Array>();
  const side = DESCRIPTOR_INPUT_PX;
  const { runner } = localDescriptor('');
  if (runner.kind !== 'image_encoder') throw new Error('The descriptor is no encoder.');
  const { input } = runner;
  let ms = 0;
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = files.slice(start, start + BATCH);
    const pixels = new Uint8Array(batch.length * side * side * 3);
    for (const [row, file] of batch.entries()) {
      const bytes = readFileSync(join(mediaRoot, file));
      const { working } = await decodeImage(bytes, { pixelLimit: DEFAULT_PIXEL_LIMIT });
      pixels.set((await prepareImage(working, working, input)).data, row * side * side * 3);
    }
    const began = performance.now();
    const tensor = new ort.Tensor('uint8', pixels, [batch.length, side, side, 3]);
    const { [DESCRIPTOR_OUTPUT_NAME]: output } = await session.run({ [DESCRIPTOR_INPUT_NAME]: tensor });
    ms += performance.now() - began;
    const rows = output?.data as Float32Array;
    for (const [row, file] of batch.entries()) {
      vectors.set(file, rows.slice(row * DESCRIPTOR_DIM, (row + 1) * DESCRIPTOR_DIM));
    }
  }
  await session.release();
  return { vectors, ms: ms / files.length };
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

function precisionAtFive(vectors: { label: string; vector: Float32Array }[]): number {
  const shares = vectors.map((query) => {
    const ranked = vectors
      .filter((other) => other !== query)
      .map((other) => ({ label: other.label, score: cosine(query.vector, other.vector) }))
      .sort((left, right) => right.score - left.score);
    return ranked.slice(0, NEIGHBOURS).filter((other) => other.label === query.label).length / NEIGHBOURS;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Measures the built-in descriptor on the shared near-duplicate pairs and clothing photos below `mediaRoot`. */
export async function measureDescriptorQuality(mediaRoot: string): Promise<DescriptorQuality> {
  const pairs = readPairs(mediaRoot);
  const clothing = listClothing(mediaRoot);
  const files = [...new Set([...pairs.flatMap(({ a, b }) => [a, b]), ...clothing])];
  const { vectors, ms } = await describeAll(mediaRoot, files);
  const vectorOf = (file: string): Float32Array => {
    const vector = vectors.get(file);
    if (vector === undefined) throw new Error(`no descriptor of ${file}`);
    return vector;
  };
  const cosines = (relation: string): number[] =>
    pairs.filter((pair) => pair.relation === relation).map(({ a, b }) => cosine(vectorOf(a), vectorOf(b)));
  const rangeOf = (relation: string): CosineRange => {
    const values = cosines(relation);
    return { pairs: values.length, min: Math.min(...values), max: Math.max(...values) };
  };
  const [exact, near] = [rangeOf('exact'), rangeOf('near')];
  const [similar, different] = [rangeOf('similar-not-dup'), rangeOf('different')];
  const lowestOfCopies = Math.min(exact.min, near.min);
  const highestOfOthers = Math.max(similar.max, different.max);
  const cut = (lowestOfCopies + highestOfOthers) / 2;
  const hard = cosines('hard-near');
  return {
    exact,
    near,
    hard_near: rangeOf('hard-near'),
    similar_not_dup: similar,
    different,
    cut,
    margin: lowestOfCopies - highestOfOthers,
    hard_near_found: hard.filter((value) => value >= cut).length / hard.length,
    clothing_precision_at_5: precisionAtFive(
      clothing.map((file) => ({ label: basename(dirname(file)), vector: vectorOf(file) })),
    ),
    clothing_images: clothing.length,
    inference_ms_per_image: ms,
  };
}
