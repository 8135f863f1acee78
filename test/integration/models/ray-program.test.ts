import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { imageInput, type RunnerOf, runner } from '../../../src-main/contract/schemas/model-definition.ts';
import { type ResultManifest, resultManifest } from '../../../src-main/contract/schemas/results.ts';
import type { PixelBox } from '../../../src-main/core/ports/image.ts';
import type { ModelOutput } from '../../../src-main/core/ports/inference.ts';
import type { PixelSize } from '../../../src-main/infra/images/image-input.ts';
import type { LocalModel } from '../../../src-main/infra/inference/local-models.ts';
import { openImageModel } from '../../../src-main/infra/inference/open-image-model.ts';
import { applyToFile } from '../../support/apply-to-file.ts';
import { writeImages } from '../../support/images.ts';
import { findMedia } from '../../support/media.ts';
import { findModels } from '../../support/models.ts';
import { needs } from '../../support/needs.ts';
import { python, pythonWith } from '../../support/python.ts';
import { rayEnvironment, startRayCluster } from '../../support/ray-cluster.ts';
import { sha256 } from '../../support/results.ts';
import { repository } from '../../support/server.ts';
import { sharedModels } from '../../support/shared-models.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DETECTOR_LABELS } from '../../support/tiny-models/detector.ts';
import { writeTinyModel } from '../../support/tiny-models/generate.ts';

const N_IMAGES = 24;
/** Items of the manifest, which lists each image several times, so that the run lasts. */
const N_ITEMS = 480;
const N_PHOTOS = 60;
const N_CAPTIONED = 40;
const CAPTIONERS = {
  'vit-gpt2': { architecture: 'vision_encoder_decoder' },
  florence2: { architecture: 'florence2' },
  smolvlm: { architecture: 'idefics3', prompt: 'Describe the image in one sentence' },
};
const [media, models] = [findMedia(), findModels()];
const ray = pythonWith('ray', 'onnxruntime', 'pyarrow', 'PIL');

/** Runs the program with a folder's `manifest.parquet` and `model`. @param onProgress Called with the number of finished items. */
async function applyOnRay(
  address: string,
  folder: string,
  onProgress: (nDone: number) => void = () => undefined,
): Promise<void> {
  const file = (name: string) => join(folder, name);
  const child = spawn(
    python,
    [
      join(repository, 'integrations', 'ray', 'apply_model.py'),
      ...['--manifest', file('manifest.parquet'), '--model', file('model'), '--results', file('results')],
    ],
    { env: { ...rayEnvironment, RAY_ADDRESS: address } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text.toString();
      const found = [...output.matchAll(/^progress (\d+) of/gm)].at(-1)?.[1];
      if (found !== undefined) onProgress(Number(found));
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(output.slice(-5000));
}

/** Writes the files that the program reads: a model package, and a manifest of files. */
async function prepare(folder: string, spec: LocalModel, items: { id: string; path: string }[]): Promise<void> {
  const { model_id: id, type } = spec;
  await cp(spec.folder, join(folder, 'model'), { recursive: true });
  const described = { id, name: id, type, package_id: id, description: '', runner: spec.runner };
  await writeFile(join(folder, 'model', 'vitrine.json'), JSON.stringify({ packages: [], models: [described] }));
  const column = (name: string, data: string[]) => ({ name, type: 'STRING' as const, data });
  const ids = items.map((item) => item.id);
  const uris = items.map(({ path }) => `file://${path}`);
  const columnData = [column('media_id', ids), column('uri', uris)];
  await writeFile(join(folder, 'manifest.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));
}

type Row = Record<string, unknown> & { media_id: string };

/** Reads the results, and checks the stated hashes and numbers of rows. */
async function readResults(folder: string): Promise<{ manifest: ResultManifest; rows: Row[]; failed: string[] }> {
  const file = (name: string) => join(folder, 'results', name);
  const manifest = resultManifest.parse(JSON.parse(await readFile(file('manifest.json'), 'utf8')));
  const rows: Row[] = [];
  for (const part of manifest.parts) {
    expect(sha256(await readFile(file(part.file)))).toBe(part.sha256);
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(file(part.file)) });
    expect(read).toHaveLength(part.rows);
    rows.push(...(read as Row[]));
  }
  const failed = JSON.parse(await readFile(file('failed.json'), 'utf8')) as { media_id: string }[];
  return { manifest, rows, failed: failed.map(({ media_id }) => media_id).toSorted() };
}

/** Applies a model to files in this process, as the app does. */
async function applyHere(
  spec: LocalModel,
  paths: readonly string[],
): Promise<{ output: ModelOutput; size: PixelSize }[]> {
  const session = { executionProviders: ['cpu'], threads: 1 };
  const model = await openImageModel(spec, { session, alive: () => undefined });
  const applied: { output: ModelOutput; size: PixelSize }[] = [];
  for (const path of paths) applied.push(await applyToFile(model, path));
  return applied;
}

it('gives the vectors of the app, though a node dies on the way', {
  ...needs(models, ray),
  timeout: 900_000,
}, async () => {
  if (!('root' in models)) throw new Error('no models');
  const folder = await temporaryFolder();
  const photos = join(folder, 'photos');
  const seeds = Array.from({ length: N_IMAGES }, (_, seed) => seed + 1);
  const paths = await writeImages(photos, seeds);
  await writeFile(join(photos, 'damaged.jpg'), (await readFile(paths[0] ?? '')).subarray(0, 900));
  const { clip } = sharedModels(models.root, await temporaryFolder());
  const items = Array.from({ length: N_ITEMS }, (_, at) => ({ id: `item-${at}`, path: paths[at % N_IMAGES] ?? '' }));
  const bad = ['damaged', 'missing'].map((id) => ({ id, path: join(photos, `${id}.jpg`) }));
  await prepare(folder, clip, [...items, ...bad]);
  const left = ['part-000999.parquet', '.part-000000.parquet-1'];
  await mkdir(join(folder, 'results'));
  for (const name of left) await writeFile(join(folder, 'results', name), 'of an earlier run');

  const cluster = await startRayCluster();
  let isKilled = false;
  try {
    await applyOnRay(cluster.address, folder, (nDone) => {
      if (isKilled || nDone === 0 || nDone > N_ITEMS / 2) return;
      isKilled = true;
      cluster.killSecondNode();
    });
  } finally {
    await cluster.close();
  }
  expect(isKilled).toBe(true);

  const { manifest, rows, failed } = await readResults(folder);
  expect(manifest).toMatchObject({ kind: 'embeddings', dim: 512, preprocessing: clip.runner.input });
  expect(rows.map(({ media_id }) => media_id).toSorted()).toEqual(items.map(({ id }) => id).toSorted());
  expect(failed).toEqual(['damaged', 'missing']);
  expect((await readdir(join(folder, 'results'))).filter((name) => left.includes(name))).toEqual([]);
  const vectors = new Map(rows.map((row) => [row.media_id, row.embedding as number[]]));
  for (const [at, { output }] of (await applyHere(clip, paths)).entries()) {
    if (output.kind !== 'vector') throw new Error('no vector');
    const there = vectors.get(`item-${at}`) ?? [];
    const cosine = output.vector.reduce((sum, value, axis) => sum + value * (there[axis] ?? 0), 0);
    expect(cosine, paths[at]).toBeGreaterThan(0.999);
  }
});

const equal = { ...needs(media, models, ray), timeout: 900_000 };
it('gives the labels and boxes of the app within the tolerances of its own models', equal, async () => {
  if (!('root' in models && 'root' in media)) throw new Error('no models or media');
  const photos = join(media.root, 'photos/coco/images');
  const names = (await readdir(photos)).toSorted().slice(0, N_PHOTOS);
  const paths = names.map((name) => join(photos, name));
  const items = names.map((id, at) => ({ id, path: paths[at] ?? '' }));
  const { yolox, ultraface, shufflenet, mobilenet } = sharedModels(models.root, await temporaryFolder());
  for (const classifier of [shufflenet.runner, mobilenet.runner]) {
    Object.assign(classifier, { min_confidence: 0, max_labels: 50 });
  }
  const detr = { model_id: 'detr', type: 'OBJECT_DETECTION', ...(await writeDetr()) } as const;
  const cluster = await startRayCluster();
  try {
    for (const spec of [yolox, ultraface, detr, shufflenet, mobilenet]) {
      const folder = await temporaryFolder();
      await prepare(folder, spec, items);
      await applyOnRay(cluster.address, folder);
      const { manifest, rows, failed } = await readResults(folder);
      expect(failed).toEqual([]);
      expect(manifest).toMatchObject({ model: { id: spec.model_id }, preprocessing: spec.runner.input });
      const here = await applyHere(spec, paths);
      const there = names.map((name) => rows.filter(({ media_id }) => media_id === name));
      if (spec.runner.kind === 'detector') compareBoxes(spec.model_id, here, there, spec === detr ? 0.03 : 0.01);
      else compareLabels(spec.model_id, here, there);
    }
  } finally {
    await cluster.close();
  }
});

const captioned = { ...needs(media, ray, pythonWith('tokenizers', 'jinja2')), timeout: 900_000 };
it('gives the captions of the app', captioned, async () => {
  if (!('root' in media)) throw new Error('no media');
  const photos = join(media.root, 'photos/coco/images');
  const names = (await readdir(photos)).toSorted().slice(0, N_CAPTIONED);
  const paths = names.map((name) => join(photos, name));
  const items = names.map((id, at) => ({ id, path: paths[at] ?? '' }));
  const cluster = await startRayCluster();
  try {
    for (const [name, described] of Object.entries(CAPTIONERS)) {
      const asked = { kind: 'captioner', max_new_tokens: 12, ...described };
      const [folder, root] = [await temporaryFolder(), await temporaryFolder()];
      const spec: LocalModel = {
        ...{ model_id: name, type: 'CAPTION_IMAGES', folder: writeTinyModel(root, name as keyof typeof CAPTIONERS) },
        runner: runner.parse(asked) as RunnerOf<'captioner'>,
      };
      await prepare(folder, spec, items);
      await applyOnRay(cluster.address, folder);
      const { manifest, rows, failed } = await readResults(folder);
      expect(failed).toEqual([]);
      expect(manifest).toMatchObject({ kind: 'captions', model: { id: name } });
      const here = (await applyHere(spec, paths)).map(({ output }) => output.kind === 'caption' && output.caption);
      const there = names.map((id) => rows.find(({ media_id }) => media_id === id)?.caption);
      const nEqual = here.filter((caption, at) => caption === there[at]).length;
      console.log(`${name}: ${nEqual} of ${here.length} captions are equal`);
      expect(new Set(here).size, name).toBeGreaterThan(3);
      // Words of random weights depend on single grey levels.
      expect(nEqual, name).toBeGreaterThanOrEqual(0.9 * here.length);
    }
  } finally {
    await cluster.close();
  }
});

/** Creates a detector with outputs of the kind DETR. Its weights are random, so small differences of pixels have more effect. */
async function writeDetr(): Promise<{ folder: string; runner: RunnerOf<'detector'> }> {
  const folder = writeTinyModel(await temporaryFolder(), 'detector');
  await writeFile(join(folder, 'labels.json'), JSON.stringify(DETECTOR_LABELS));
  const described = {
    ...{ kind: 'detector', decoder: 'detr', model_file: 'onnx/model.onnx', labels_file: 'labels.json' },
    input: imageInput.parse({ width_px: 32, height_px: 32, resize: 'stretch' }),
  };
  return { folder, runner: runner.parse(described) as RunnerOf<'detector'> };
}

/**
 * Confidences of the five most probable classes may differ by 0.1, the tolerance of the app against its references. For one in fifty the
 * difference may be larger, and on a seventh of the photos the first label may differ: models with weights of 8 bits change as much when one
 * pixel in ten changes by one grey level.
 */
function compareLabels(model: string, here: { output: ModelOutput }[], there: Row[][]): void {
  const differences: number[] = [];
  let nSameFirst = 0;
  for (const [at, { output }] of here.entries()) {
    if (output.kind !== 'labels') throw new Error('no labels');
    const found = there[at] ?? [];
    if (found[0]?.label === output.labels[0]?.label) nSameFirst += 1;
    for (const { label, confidence } of output.labels.slice(0, 5)) {
      const same = found.find((row) => row.label === label);
      differences.push(Math.abs(confidence - Number(same?.confidence ?? 0)));
    }
  }
  console.log(
    `${model}: first label equal on ${nSameFirst} of ${here.length}, confidences differ by ${spread(differences)}`,
  );
  expect(nSameFirst).toBeGreaterThanOrEqual((6 / 7) * here.length);
  expect(differences.filter((one) => one >= 0.1).length).toBeLessThanOrEqual(differences.length / 50);
}

/**
 * Each box with a confidence of 0.3 or more must have an equal box on the other side, by the tolerance of the app against its references: the
 * same label, a confidence within 0.05, and corners within a fiftieth of the image. Of two overlapping boxes with nearly equal confidences,
 * the two sides may keep different ones.
 * @param maxOthers Maximum share of boxes without an equal box.
 */
function compareBoxes(
  model: string,
  here: { output: ModelOutput; size: PixelSize }[],
  there: Row[][],
  maxOthers: number,
): void {
  const [confidences, overlaps, distances]: [number[], number[], number[]] = [[], [], []];
  for (const [at, { output, size }] of here.entries()) {
    if (output.kind !== 'objects') throw new Error('no objects');
    const found = (there[at] ?? []).map(({ label, confidence, box }) => {
      const [x = 0, y = 0, width = 0, height = 0] = box as number[];
      return { label, confidence: Number(confidence), box: { x, y, width, height } };
    });
    for (const [ofOne, ofOther] of [
      [output.objects, found],
      [found, output.objects],
    ] as const) {
      for (const { label, confidence, box } of ofOne.filter((one) => one.confidence >= 0.3)) {
        const same = ofOther
          .filter((one) => one.label === label && Math.abs(one.confidence - confidence) < 0.05)
          .toSorted((a, b) => distanceOf(a.box, box) - distanceOf(b.box, box))[0];
        confidences.push(Math.abs((same?.confidence ?? 0) - confidence));
        overlaps.push(same ? overlapOf(same.box, box) : 0);
        distances.push(same ? distanceOf(same.box, box) / Math.max(size.width, size.height) : 1);
      }
    }
  }
  const nOthers = distances.filter((distance) => distance >= 0.02).length;
  console.log(
    `${model}: ${distances.length} boxes, ${nOthers} others, confidences differ by ${spread(confidences)}, IoU ${spread(overlaps)}`,
  );
  expect(distances.length).toBeGreaterThan(10);
  expect(nOthers).toBeLessThanOrEqual(maxOthers * distances.length);
}

function cornersOf({ x, y, width, height }: PixelBox): [number, number, number, number] {
  return [x, y, x + width, y + height];
}

/** Largest offset of a corner in pixels. */
function distanceOf(a: PixelBox, b: PixelBox): number {
  const others = cornersOf(b);
  return Math.max(...cornersOf(a).map((value, at) => Math.abs(value - (others[at] ?? 0))));
}

/** Intersection over union. */
function overlapOf(a: PixelBox, b: PixelBox): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (a.width * a.height + b.width * b.height - shared);
}

/** Formats the median and the range. */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [middle, lowest, highest] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  return `${middle?.toFixed(5)} (${lowest?.toFixed(5)} to ${highest?.toFixed(5)})`;
}
