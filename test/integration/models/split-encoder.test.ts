import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { cutOnnx } from '../../../src-main/infra/models/cut-onnx.ts';
import { readOnnx } from '../../../src-main/infra/models/onnx-reader.ts';
import { atEnd } from '../../support/at-end.ts';
import { testCompute } from '../../support/compute.ts';
import { seeded } from '../../support/images.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tinyEncoder } from '../../support/tiny-encoder.ts';
import { writeTinyModel } from '../../support/tiny-models/generate.ts';
import { LOGIT_SCALE } from '../../support/tiny-models/joint-clip.ts';

const repository = join(import.meta.dirname, '../../..');
const JOINT = {
  file: 'onnx/model_quantized.onnx',
  image_file: 'onnx/vision_model_quantized.onnx',
  text_file: 'onnx/text_model_quantized.onnx',
  logit_scale_file: 'logit_scale.json',
};
const random = seeded(5);
const FEEDS: Record<string, Tensor> = {
  pixel_values: new Tensor('float32', Float32Array.from({ length: 3 * 3 * 32 * 32 }, random), [3, 3, 32, 32]),
  input_ids: new Tensor('int64', BigInt64Array.from([0n, 300n, 7n, 9n, 20n, 300n, 4n, 5n]), [2, 4]),
  attention_mask: new Tensor('int64', BigInt64Array.from([1n, 1n, 1n, 1n, 1n, 1n, 0n, 0n]), [2, 4]),
};

let root: string;

beforeAll(async () => {
  root = await temporaryFolder(atEnd);
});

const emptyFolder = async () => mkdtemp(join(root, 'model-'));

async function outputsOf(file: string): Promise<InferenceSession.OnnxValueMapType> {
  const session = await InferenceSession.create(file, { logSeverityLevel: 3 });
  try {
    return await session.run(Object.fromEntries(session.inputNames.map((name) => [name, FEEDS[name] as Tensor])));
  } finally {
    await session.release();
  }
}

describe('a cut graph', () => {
  it('computes the same as the whole graph, from its own inputs and weights', async () => {
    const folder = writeTinyModel(await emptyFolder(), 'joint-clip');
    const whole = join(folder, JOINT.file);
    const images = join(folder, JOINT.image_file);
    const texts = join(folder, JOINT.text_file);
    await cutOnnx(whole, images, ['image_embeds']);
    await cutOnnx(whole, texts, ['text_embeds']);

    const expected = await outputsOf(whole);
    expect(await outputsOf(images)).toEqual({ image_embeds: expected.image_embeds });
    expect(await outputsOf(texts)).toEqual({ text_embeds: expected.text_embeds });
    const inputs = async (file: string) => (await readOnnx(file)).inputs.map(({ name }) => name);
    expect(await inputs(images)).toEqual(['pixel_values']);
    expect(await inputs(texts)).toEqual(['input_ids', 'attention_mask']);
    const [all, ofImages, ofTexts] = await Promise.all(
      [whole, images, texts].map(async (file) => (await stat(file)).size),
    );
    expect((ofImages ?? 0) + (ofTexts ?? 0)).toBeLessThan(1.05 * (all ?? 0));
  });

  it('is refused for missing outputs, and for files that are not graphs', async () => {
    const folder = await emptyFolder();
    const file = join(folder, 'model.onnx');
    await writeFile(file, tinyEncoder());
    await expect(cutOnnx(file, join(folder, 'cut.onnx'), ['text_embeds'])).rejects.toThrow('has no output text_embeds');
    await writeFile(file, tinyEncoder().subarray(0, 300));
    await expect(cutOnnx(file, join(folder, 'cut.onnx'), ['image_embeds'])).rejects.toThrow('is cut off');
    await writeFile(file, 'a login page');
    await expect(cutOnnx(file, join(folder, 'cut.onnx'), ['image_embeds'])).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('a package with one graph for images and texts', () => {
  const pool = testCompute({
    size: 1,
    entryFile: join(repository, 'src-main/infra/local-jobs/compute.worker.ts'),
    spawn: spawnNodeChild(silentLog),
    log: silentLog,
    modelDevice: () => 'cpu',
  });
  afterAll(() => pool.close());

  it.each(['joint-clip', 'colour-clip'] as const)(
    '%s is separated in a process, with its factor on cosines',
    async (name) => {
      const folder = writeTinyModel(await emptyFolder(), name);
      await pool.splitEncoder({ folder, joint: JOINT, width_px: 32, height_px: 32 });
      expect(Number(await readFile(join(folder, JOINT.logit_scale_file), 'utf8'))).toBeCloseTo(LOGIT_SCALE, 2);
      expect((await readOnnx(join(folder, JOINT.image_file))).outputs.map((output) => output.name)).toEqual([
        'image_embeds',
      ]);
    },
  );

  it('is refused, without paths, when the graph is of another kind or damaged', async () => {
    const folder = writeTinyModel(await emptyFolder(), 'joint-clip');
    const split = () => pool.splitEncoder({ folder, joint: JOINT, width_px: 32, height_px: 32 });
    await writeFile(join(folder, JOINT.file), tinyEncoder());
    await expect(split()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The file with both encoders has no output text_embeds.',
    });
    const bytes = await readFile(join(writeTinyModel(await emptyFolder(), 'joint-clip'), JOINT.file));
    // The runtime refuses the graph: an operator has an unknown name.
    await writeFile(
      join(folder, JOINT.file),
      Buffer.from(bytes.toString('latin1').replaceAll('MatMul', 'NotMul'), 'latin1'),
    );
    await expect(split()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The file with both encoders cannot be run.',
    });
  });
});
