import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatMessage, message } from '../../../src-main/contract/messages.ts';
import { type ImageInput, imageInput, runner } from '../../../src-main/contract/schemas/model-definition.ts';
import type { SpawnChild } from '../../../src-main/core/ports/child-process.ts';
import type { AppliedImage, ModelRef } from '../../../src-main/core/ports/inference.ts';
import type { Log } from '../../../src-main/core/ports/log.ts';
import type { ComputeOptions } from '../../../src-main/infra/local-jobs/compute-processes.ts';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { buildOnnxModel, type OnnxNode } from '../../../tools/graphs/onnx-writer.ts';
import { localModels, type TestCompute, testCompute } from '../../support/compute.ts';
import { writeImages } from '../../support/images.ts';
import { silentLog } from '../../support/silent-log.ts';

const repository = join(import.meta.dirname, '../../..');
const PHOTOS = 40;
let folder = '';
let photos: string[] = [];
let pool: TestCompute | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-apply-'));
  const names = Array.from({ length: PHOTOS }, (_, at) => at);
  photos = (await writeImages(join(folder, 'photos'), names)).sort();
  writeFileSync(join(folder, 'means.onnx'), meansModel());
  writeFileSync(join(folder, 'picky.onnx'), pickyModel());
  writeFileSync(join(folder, 'boxes.onnx'), boxModel());
  writeFileSync(join(folder, 'words.onnx'), 'These are words, not a graph.');
  writeFileSync(join(folder, 'labels.txt'), 'left half\nn01440764 middle, centre\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => pool?.close());

const openPool = (options: Partial<ComputeOptions> = {}) => {
  pool = testCompute({
    size: 1,
    entryFile: join(repository, 'src-main/infra/local-jobs/compute.worker.ts'),
    spawn: spawnNodeChild(silentLog),
    log: silentLog,
    modelDevice: () => 'cpu',
    ...options,
  });
  return pool;
};
const requests = (paths: readonly string[]) => paths.map((path, key) => ({ key, path }));
const SIDE_PX = 8;
const uint8: ImageInput = imageInput.parse({
  width_px: SIDE_PX,
  height_px: SIDE_PX,
  resize: 'stretch',
  layout: 'NHWC',
  dtype: 'uint8',
});
const encoder = (modelFile: string, dim = 3) =>
  localModels.add({
    model_id: modelFile.replace('.onnx', ''),
    type: 'MULTIMODEL_IMAGE_ENCODING',
    folder,
    runner: runner.parse({ kind: 'image_encoder', model_file: modelFile, dim, input: uint8 }),
  });
const detector = () =>
  localModels.add({
    model_id: 'boxes',
    type: 'OBJECT_DETECTION',
    folder,
    runner: runner.parse({
      kind: 'detector',
      model_file: 'boxes.onnx',
      input: uint8,
      labels_file: 'labels.txt',
      decoder: 'corner_boxes',
      min_confidence: 0.1,
    }),
  });
const flat = (name: string, colour: string, width = 40, height = 20): Promise<string> => {
  const path = join(folder, name);
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toFile(path)
    .then(() => path);
};
const firstOf = (result: AppliedImage | undefined) => {
  if (result?.ok !== true) throw new Error(result ? formatMessage(result.reason) : 'no result');
  return result.outputs[0];
};

describe('applying models', () => {
  it('returns the outputs of all models for each image in order, with their speeds', async () => {
    const red = await flat('red.png', '#ff0000');
    const results = await openPool().applyModels(requests([...photos, red]), [encoder('means.onnx'), detector()]);
    expect(results.map(({ key }) => key)).toEqual([...photos, red].map((_, key) => key));
    const last = results.at(-1);
    expect(last).toMatchObject({ ok: true, width: 40, height: 20 });
    expect(firstOf(last)).toEqual({ kind: 'vector', vector: Float32Array.of(1, 0, 0) });
    if (last?.ok !== true) throw new Error('no result');
    // Of two overlapping boxes of one class, the one with lower confidence is removed. The other boxes are clipped to the image.
    expect(last.outputs[1]).toEqual({
      kind: 'objects',
      objects: [
        {
          label: 'middle',
          class_id: 1,
          confidence: expect.closeTo(0.8, 5),
          box: { x: 10, y: 5, width: 20, height: 10 },
        },
        {
          label: 'left half',
          class_id: 0,
          confidence: expect.closeTo(0.6, 5),
          box: { x: 0, y: 0, width: 20, height: 20 },
        },
      ],
    });
    expect(pool?.modelSpeeds().get('means')).toMatchObject({ provider: 'cpu' });
    expect(pool?.modelSpeeds().get('means')?.items_per_s).toBeGreaterThan(0);
  });

  it('kill -9 loses nothing, with a broken file among the images', async () => {
    const broken = join(folder, 'broken.jpg');
    writeFileSync(broken, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]));
    const paths = photos.toSpliced(20, 0, broken);
    const expected = await openPool().applyModels(requests(paths), [encoder('means.onnx')]);
    await pool?.close();

    let started = 0;
    const spawn: SpawnChild = (entryFile, name) => {
      const child = spawnNodeChild(silentLog)(entryFile, name);
      return {
        ...child,
        onMessage: (listener) =>
          child.onMessage((message) => {
            if ((message as { type: string }).type === 'item_started' && ++started === 12) child.kill();
            listener(message);
          }),
      };
    };
    const results = await openPool({ spawn }).applyModels(requests(paths), [encoder('means.onnx')]);
    expect(pool?.status().deaths).toBe(1);
    expect(results).toEqual(expected);
    expect(results[20]).toMatchObject({ key: 20, ok: false, kind: 'corrupt' });
    expect(results.filter(({ ok }) => ok)).toHaveLength(PHOTOS);
  });

  it('a model that fails on one image fails there only', async () => {
    const white = await flat('white.png', '#ffffff');
    const paths = photos.slice(0, 12).toSpliced(5, 0, white);
    const results = await openPool().applyModels(requests(paths), [encoder('picky.onnx', 2), encoder('means.onnx')]);
    for (const [at, result] of results.entries()) {
      if (!result.ok) throw new Error(formatMessage(result.reason));
      const [picky, means] = result.outputs;
      expect(means?.kind).toBe('vector');
      if (at !== 5) expect(picky?.kind).toBe('vector');
      else expect(picky).toEqual({ kind: 'failed', reason: message('model_failed', { model: 'picky' }) });
    }
    expect(pool?.status().deaths).toBe(0);
  });

  it('reports which model cannot be loaded and why, without a path', async () => {
    const open = openPool();
    const [first = ''] = photos;
    const refusal = async (spec: ModelRef) => {
      const error = await open.applyModels(requests([first]), [spec]).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(String(error)).not.toContain(folder);
      return (error as Error).message;
    };
    expect(await refusal(encoder('words.onnx'))).toMatch(
      /^The model "words" cannot be loaded: its files are .*damaged\.$/,
    );
    expect(await refusal(encoder('gone.onnx'))).toBe(
      'The model "gone" cannot be loaded: its file gone.onnx is missing.',
    );
    expect(await refusal(encoder('means.onnx', 7))).toBe(
      'The model "means" is not as described: it returns vectors of 3 values, not 7.',
    );
    expect(await open.applyModels(requests([first]), [encoder('means.onnx')])).toMatchObject([{ ok: true }]);
    await expect(open.encodeTexts(['a word'], encoder('means.onnx'))).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The model "means" takes only images, no text.',
    });
  });

  it('crops boxes from one decode, with thumbnails, and returns detected objects in pixels of the image', async () => {
    const halves = join(folder, 'halves.png');
    const blue = { create: { width: 100, height: 80, channels: 3 as const, background: '#0000ff' } };
    await sharp({ create: { width: 200, height: 80, channels: 3, background: '#ff0000' } })
      .composite([{ input: await sharp(blue).png().toBuffer(), left: 100, top: 0 }])
      .png()
      .toFile(halves);
    const crops = [
      { key: 7, box: { x: 10, y: 10, width: 60, height: 60 } },
      { key: 8, box: { x: 110, y: 20, width: 80, height: 40 } },
    ];
    const request = { key: 3, path: halves, width: 200, height: 80, crops };
    const open = openPool();
    const [result, changed] = await open.applyToCrops(
      [request, { ...request, key: 4, width: 300 }],
      [encoder('means.onnx'), detector()],
    );
    if (result?.ok !== true) throw new Error('no result');
    expect(result.crops.map(({ key }) => key)).toEqual([7, 8]);
    const described = result.crops.flatMap((crop) => (crop.ok ? crop : []));
    const vectors = described.map(({ outputs }) => outputs[0]);
    expect(vectors).toEqual([
      { kind: 'vector', vector: Float32Array.of(1, 0, 0) },
      { kind: 'vector', vector: Float32Array.of(0, 0, 1) },
    ]);
    expect(described[1]?.outputs[1]).toMatchObject({
      objects: [{ box: { x: 130, y: 30, width: 40, height: 20 } }, { box: { x: 110, y: 20, width: 40, height: 40 } }],
    });
    expect(await sharp(described[1]?.thumbnail).metadata()).toMatchObject({ width: 80, height: 40, format: 'webp' });
    expect(changed).toMatchObject({ key: 4, ok: false, kind: 'unreadable' });
  });

  it('describes detected objects from the same decode, in full batches over the images', async () => {
    const red = await flat('red-boxes.png', '#ff0000', 400, 200);
    const paths = [...photos.slice(0, 3), red];
    const open = openPool();
    const [models, boxModels] = [
      [encoder('means.onnx'), detector()],
      [encoder('means.onnx'), detector()],
    ];
    const results = await open.applyModels(requests(paths), models, undefined, boxModels);
    const alone = await open.applyModels(requests(paths), models);
    for (const [at, result] of results.entries()) {
      const plain = alone[at];
      if (!result.ok || !plain?.ok) throw new Error('no result');
      expect(result.outputs).toEqual(plain.outputs);
      expect(plain.boxes).toEqual([[], []]);
      const objects = result.outputs[1]?.kind === 'objects' ? result.outputs[1].objects : [];
      expect(result.boxes.map((boxes) => boxes.length)).toEqual([0, objects.length]);
      const crops = objects.map(({ box }, key) => ({ key, box }));
      const { width, height } = result;
      const [again] = await open.applyToCrops([{ key: 0, path: paths[at] ?? '', width, height, crops }], boxModels);
      expect(again).toMatchObject({ ok: true, crops: result.boxes[1] ?? [] });
    }
  });

  it('starts fewer processes for larger models', async () => {
    const spareBytes = 500 * 2 ** 20;
    const open = openPool({ size: 4, spareBytes });
    await Promise.all(photos.slice(0, 6).map((path) => open.applyModels(requests([path]), [encoder('means.onnx')])));
    expect(open.status().pids).toHaveLength(1);
  });

  it('keeps processes between calls', async () => {
    const open = openPool({ size: 2 });
    const round = () =>
      Promise.all(photos.slice(0, 6).map((path) => open.applyModels(requests([path]), [encoder('means.onnx')])));
    await round();
    const { pids } = open.status();
    expect(pids).toHaveLength(2);
    await round();
    expect(open.status()).toEqual({ pids, deaths: 0 });
  });

  it('probes devices in a separate process; a missing or crashing device is reported and not used', async () => {
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (_, text) => void warnings.push(text ?? ''), child: () => log };
    let device = 'no-such-device';
    const open = openPool({ modelDevice: () => device, log });
    const checks = await open.checkDevices();
    expect(checks.find(({ provider }) => provider === 'no-such-device')).toMatchObject({ works: false });
    expect(checks[0]).toMatchObject({ works: true });
    for (const { works, problem } of checks) if (!works) expect(problem?.code).toMatch(/^device_/);
    expect(checks.map(({ provider }) => provider)).toContain('cpu');
    expect(warnings.some((text) => text.includes('does not work'))).toBe(true);
    expect(pool?.status()).toEqual({ pids: [], deaths: 0 });
    device = 'cpu';
    const [first, ...others] = await open.checkDevices();
    expect(first).toMatchObject({ provider: 'cpu', works: true });
    expect(others.map(({ provider }) => provider)).not.toContain('no-such-device');
  });
});

const model = (name: string, output: { name: string; dims: number[] }[], nodes: OnnxNode[]) => ({
  name,
  opset: 17,
  inputs: [{ name: 'pixels', type: 'uint8' as const, shape: ['n', SIDE_PX, SIDE_PX, 3] }],
  outputs: output.map(({ name: outputName, dims }) => ({
    name: outputName,
    type: 'float32' as const,
    shape: ['n', ...dims],
  })),
  nodes: [{ op: 'Cast', inputs: ['pixels'], outputs: ['levels'], attributes: { to: { int: 1 } } }, ...nodes],
});
const mean = (axes: number[], output: string): OnnxNode => ({
  op: 'ReduceMean',
  inputs: ['levels'],
  outputs: [output],
  attributes: { axes: { ints: axes }, keepdims: { int: 0 } },
});

/** A model that returns mean red, green and blue. */
function meansModel(): Uint8Array {
  return buildOnnxModel(model('means', [{ name: 'means', dims: [3] }], [mean([1, 2], 'means')]));
}

/** A model that looks up its output in a table and fails on white images, whose index exceeds the table. */
function pickyModel(): Uint8Array {
  return buildOnnxModel({
    ...model(
      'picky',
      [{ name: 'answer', dims: [2] }],
      [
        mean([1, 2, 3], 'brightness'),
        { op: 'Div', inputs: ['brightness', 'step'], outputs: ['place'] },
        { op: 'Cast', inputs: ['place'], outputs: ['row'], attributes: { to: { int: 7 } } },
        { op: 'Gather', inputs: ['table', 'row'], outputs: ['answer'] },
      ],
    ),
    initializers: [
      { name: 'step', type: 'float32', dims: [], data: [127.5] },
      { name: 'table', type: 'float32', dims: [2, 2], data: [1, 0, 0, 1] },
    ],
  });
}

/**
 * A model that always returns the same three boxes, for one image at a time: two overlapping ones of its first class, one of the second
 * class in the middle.
 */
function boxModel(): Uint8Array {
  const boxes = [-0.1, 0, 0.5, 1.2, 0, 0, 0.5, 0.9, 0.25, 0.25, 0.75, 0.75];
  const scores = [0.4, 0.6, 0, 0.5, 0.5, 0, 0.15, 0.05, 0.8];
  const described = model(
    'boxes',
    [],
    [
      mean([1, 2, 3], 'brightness'),
      { op: 'Mul', inputs: ['brightness', 'zero'], outputs: ['nothing'] },
      { op: 'Add', inputs: ['nothing', 'all_boxes'], outputs: ['boxes'] },
      { op: 'Add', inputs: ['nothing', 'all_scores'], outputs: ['scores'] },
    ],
  );
  return buildOnnxModel({
    ...described,
    inputs: [{ name: 'pixels', type: 'uint8', shape: [1, SIDE_PX, SIDE_PX, 3] }],
    outputs: [
      { name: 'boxes', type: 'float32', shape: [1, 3, 4] },
      { name: 'scores', type: 'float32', shape: [1, 3, 3] },
    ],
    initializers: [
      { name: 'zero', type: 'float32', dims: [], data: [0] },
      { name: 'all_boxes', type: 'float32', dims: [1, 3, 4], data: boxes },
      { name: 'all_scores', type: 'float32', dims: [1, 3, 3], data: scores },
    ],
  });
}
