import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMessage } from '../../../src-main/contract/messages.ts';
import { type EnrichmentType, runner } from '../../../src-main/contract/schemas/model-definition.ts';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { atEnd } from '../../support/at-end.ts';
import { localModels, testCompute } from '../../support/compute.ts';
import { writeImages } from '../../support/images.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DETECTOR_LABELS } from '../../support/tiny-models/detector.ts';
import { JOINT_DIM } from '../../support/tiny-models/encoders.ts';
import { type TinyModel, writeTinyModel } from '../../support/tiny-models/generate.ts';

const repository = join(import.meta.dirname, '../../..');
const pool = testCompute({
  size: 1,
  entryFile: join(repository, 'src-main/infra/local-jobs/compute.worker.ts'),
  spawn: spawnNodeChild(silentLog),
  log: silentLog,
  modelDevice: () => 'cpu',
});
let folder = '';
let images: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  images = await writeImages(join(folder, 'images'), [1, 2, 3]);
});
afterAll(() => pool.close());

const spec = (name: TinyModel, type: EnrichmentType, described: object) =>
  localModels.add({
    model_id: name,
    type,
    folder: writeTinyModel(folder, name),
    runner: runner.parse(described),
  });
const square = { width_px: 32, height_px: 32, resize: 'crop', kernel: 'bicubic' } as const;
const clip = {
  kind: 'image_encoder',
  model_file: 'onnx/vision_model.onnx',
  output: 'image_embeds',
  dim: JOINT_DIM,
  input: square,
  text: { model_file: 'onnx/text_model.onnx', output: 'text_embeds' },
} as const;

describe('every kind of model on a compute process, with random weights', () => {
  it('an encoder, labels by text, a detector and captioners of each architecture, all from one decode', async () => {
    const models = [
      spec('clip', 'MULTIMODEL_IMAGE_ENCODING', clip),
      spec('clip', 'IMAGE_TAGGING', { kind: 'zero_shot', encoder: clip, labels: ['dog', 'cat'], min_confidence: 0 }),
      spec('detector', 'OBJECT_DETECTION', {
        kind: 'detector',
        model_file: 'onnx/model.onnx',
        input: { ...square, resize: 'stretch' },
        labels_file: 'config.json',
        decoder: 'detr',
        min_confidence: 0,
      }),
      ...(['vit-gpt2', 'florence2', 'smolvlm'] as const).map((name) =>
        spec(name, 'CAPTION_IMAGES', {
          kind: 'captioner',
          architecture: name === 'vit-gpt2' ? 'vision_encoder_decoder' : name === 'smolvlm' ? 'idefics3' : 'florence2',
          prompt: name === 'smolvlm' ? 'Describe the image in one sentence' : '',
          max_new_tokens: 8,
        }),
      ),
    ];
    const results = await pool.applyModels(
      images.map((path, key) => ({ key, path })),
      models,
    );
    for (const result of results) {
      if (!result.ok) throw new Error(formatMessage(result.reason));
      const [vector, labels, objects, ...captions] = result.outputs;
      if (vector?.kind !== 'vector' || labels?.kind !== 'labels' || objects?.kind !== 'objects') {
        throw new Error(JSON.stringify(result.outputs));
      }
      expect(Math.hypot(...vector.vector)).toBeCloseTo(1, 4);
      expect(labels.labels.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(1, 4);
      expect(objects.objects.length).toBeGreaterThan(0);
      for (const { label, box } of objects.objects) {
        expect(DETECTOR_LABELS).toContain(label);
        expect(Math.min(box.width, box.height, box.x + 1, box.y + 1)).toBeGreaterThanOrEqual(1);
        expect(box.x + box.width).toBeLessThanOrEqual(320);
        expect(box.y + box.height).toBeLessThanOrEqual(240);
      }
      expect(captions.map(({ kind }) => kind)).toEqual(['caption', 'caption', 'caption']);
    }
    expect(pool.status().deaths).toBe(0);
  });

  it('a sentence encoder', async () => {
    const model = spec('sentence-encoder', 'CAPTION_ENCODING', {
      kind: 'sentence_encoder',
      model_file: 'onnx/model.onnx',
      pooling: 'mean',
      dim: 32,
    });
    const [first, again, other] = await pool.encodeTexts(['a dog runs', 'a dog runs', 'a red car'], model);
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
    expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 4);
    await expect(pool.applyModels([{ key: 0, path: images[0] ?? '' }], [model])).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
