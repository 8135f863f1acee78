import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatMessage } from '../../../src-main/contract/messages.ts';
import type { AppliedImage, DetectedObject, FoundLabel } from '../../../src-main/core/ports/inference.ts';
import type { LocalModel } from '../../../src-main/infra/inference/local-models.ts';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { type FoundBox, meanAveragePrecision, type TrueBox } from '../../support/average-precision.ts';
import { localModels, testCompute } from '../../support/compute.ts';
import { findMedia } from '../../support/media.ts';
import { findModels } from '../../support/models.ts';
import { needs } from '../../support/needs.ts';
import { sharedModels } from '../../support/shared-models.ts';
import { silentLog } from '../../support/silent-log.ts';

const repository = join(import.meta.dirname, '../../..');
const [media, models] = [findMedia(), findModels()];

interface Expected {
  yolox: ExpectedBox[];
  ultraface: ExpectedBox[];
  shufflenet: { class_id: number; confidence: number }[];
  mobilenet: { class_id: number; confidence: number }[];
  clip: number[];
}
type ExpectedBox = { class_id: number; confidence: number; corners: [number, number, number, number] };

/** Written by model-outputs.py: outputs of the same models with Pillow, NumPy and ONNX Runtime in Python. */
const reference: Record<string, Expected> = JSON.parse(
  readFileSync(join(repository, 'test/fixtures/model-outputs.json'), 'utf8'),
);

describe('models with trained weights', needs(media, models), () => {
  const photos = join('root' in media ? media.root : '', 'photos/coco/images');
  const scratch = mkdtempSync(join(tmpdir(), 'vitrine-models-'));
  const pool = testCompute({
    size: 2,
    entryFile: join(repository, 'src-main/infra/local-jobs/compute.worker.ts'),
    spawn: spawnNodeChild(silentLog),
    log: silentLog,
    modelDevice: () => 'cpu',
  });
  afterAll(async () => {
    await pool.close();
    rmSync(scratch, { recursive: true });
  });
  const known = () => sharedModels('root' in models ? models.root : '', scratch);
  const files = Object.keys(reference);
  const applied = (specs: LocalModel[], names: readonly string[]) =>
    pool.applyModels(
      names.map((name, key) => ({ key, path: join(photos, name) })),
      specs.map((spec) => localModels.add(spec)),
    );

  it('detect the objects that the reference detects, within 0.05 of confidence and a fiftieth of the image', async () => {
    const { yolox, ultraface } = known();
    // The reference uses this confidence threshold.
    Object.assign(yolox.runner, { min_confidence: 0.3 });
    const results = await applied([yolox, ultraface], files);
    for (const [at, name] of files.entries()) {
      for (const [nth, of] of (['yolox', 'ultraface'] as const).entries()) {
        const found = objectsOf(results[at], nth);
        const expected = reference[name]?.[of] ?? [];
        expect(found, `${of} on ${name}`).toHaveLength(expected.length);
        for (const box of expected) expect(nearest(found, box, results[at]), `${of} on ${name}`).toBeLessThan(0.02);
      }
    }
    expect(files.flatMap((name) => reference[name]?.yolox ?? []).length).toBeGreaterThan(40);
  });

  it('classify as the reference does, within 0.1 for each of its five most probable classes', async () => {
    const { shufflenet, mobilenet } = known();
    for (const { runner } of [shufflenet, mobilenet]) Object.assign(runner, { min_confidence: 0, max_labels: 50 });
    const results = await applied([shufflenet, mobilenet], files);
    let agreed = 0;
    for (const [at, name] of files.entries()) {
      for (const [nth, of] of (['shufflenet', 'mobilenet'] as const).entries()) {
        const found = labelsOf(results[at], nth);
        const expected = reference[name]?.[of] ?? [];
        if (found[0]?.class_id === expected[0]?.class_id) agreed += 1;
        for (const { class_id, confidence } of expected) {
          const same = found.find((label) => label.class_id === class_id);
          expect(Math.abs((same?.confidence ?? 0) - confidence), `${of} on ${name}`).toBeLessThan(0.1);
        }
      }
    }
    // With 8-bit quantisation, two equally likely classes may swap for a hundredth of a grey level.
    expect(agreed).toBeGreaterThanOrEqual(2 * files.length - 1);
  });

  it('encode images as the reference does, cosine 0.999', async () => {
    const results = await applied([known().clip], files);
    for (const [at, name] of files.entries()) {
      const [output] = outputsOf(results[at]);
      if (output?.kind !== 'vector') throw new Error('no vector');
      const { vector } = output;
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      const expected = reference[name]?.clip ?? [];
      const cosine = vector.reduce((sum, value, place) => sum + value * (expected[place] ?? 0), 0);
      expect(cosine / Math.hypot(...expected), name).toBeGreaterThan(0.999);
    }
  });

  it('find nouns by text with a custom list of labels', async () => {
    const { zero_shot, clip } = known();
    const [result] = await applied([zero_shot], ['000000000285.jpg']);
    const labels = labelsOf(result, 0);
    expect(labels[0]).toMatchObject({ label: 'bear', class_id: zero_shot.runner.labels.indexOf('bear') });
    expect(labels.map(({ label }) => label)).not.toContain('qqqwxz');
    const [dog, cat, nothing] = await pool.encodeTexts(['a dog', 'a cat', 'qqqwxz'], localModels.add(clip));
    expect(dog).toHaveLength(512);
    expect(Math.hypot(...(cat ?? []))).toBeCloseTo(1, 4);
    expect(Math.hypot(...(nothing ?? [1]))).toBe(0);
  });

  it('YOLOX-Nano reaches its mAP50 on photos of COCO with the stored boxes, and not without those of low confidence', async () => {
    const { names, truth } = readCoco(join('root' in media ? media.root : '', 'photos/coco/instances.json'));
    const results = await applied([known().yolox], names);
    const found = results.flatMap((result, at) =>
      objectsOf(result, 0).map(({ class_id, confidence, box }): FoundBox => {
        const corners = [box.x, box.y, box.x + box.width, box.y + box.height] as const;
        return { image: names[at] ?? '', class_id: class_id ?? -1, confidence, corners };
      }),
    );
    const sure = found.filter(({ confidence }) => confidence >= 0.3);
    const map50 = meanAveragePrecision(found, truth);
    const map50OfSure = meanAveragePrecision(sure, truth);
    console.log(
      `mAP50 of YOLOX-Nano on ${names.length} photos: ${map50.toFixed(3)}; from 0.3 on ${map50OfSure.toFixed(3)}`,
    );
    expect(map50).toBeGreaterThan(0.42);
    expect(map50OfSure).toBeLessThan(map50 - 0.05);
  });
});

function outputsOf(result: AppliedImage | undefined) {
  if (result?.ok !== true) throw new Error(result ? formatMessage(result.reason) : 'no result');
  return result.outputs;
}

function objectsOf(result: AppliedImage | undefined, nth: number): DetectedObject[] {
  const output = outputsOf(result)[nth];
  if (output?.kind !== 'objects') throw new Error('no objects');
  return output.objects;
}

function labelsOf(result: AppliedImage | undefined, nth: number): FoundLabel[] {
  const output = outputsOf(result)[nth];
  if (output?.kind !== 'labels') throw new Error('no labels');
  return output.labels;
}

/**
 * Returns the largest corner offset of the nearest box of the same class and similar confidence, relative to the longer side of the image;
 * 1 if there is no such box.
 */
function nearest(found: DetectedObject[], expected: ExpectedBox, result: AppliedImage | undefined): number {
  if (result?.ok !== true) return 1;
  const distances = found
    .filter(({ class_id }) => class_id === expected.class_id)
    .filter(({ confidence }) => Math.abs(confidence - expected.confidence) < 0.05)
    .map(({ box }) => {
      const corners = [box.x, box.y, box.x + box.width, box.y + box.height];
      return Math.max(...corners.map((value, at) => Math.abs(value - (expected.corners[at] ?? 0))));
    });
  return Math.min(1, ...distances.map((distance) => distance / Math.max(result.width, result.height)));
}

function readCoco(file: string): { names: string[]; truth: TrueBox[] } {
  const coco = JSON.parse(readFileSync(file, 'utf8')) as {
    images: { id: number; file_name: string }[];
    categories: { id: number }[];
    annotations: { image_id: number; category_id: number; bbox: [number, number, number, number]; iscrowd: number }[];
  };
  const names = new Map(coco.images.map(({ id, file_name }) => [id, file_name]));
  // Models number the 80 classes consecutively in the order of COCO's ids, which have gaps.
  const ids = coco.categories.map(({ id }) => id).sort((a, b) => a - b);
  const truth = coco.annotations.map(({ image_id, category_id, bbox: [x, y, width, height], iscrowd }): TrueBox => {
    const corners = [x, y, x + width, y + height] as const;
    return { image: names.get(image_id) ?? '', class_id: ids.indexOf(category_id), corners, is_crowd: iscrowd === 1 };
  });
  return { names: [...names.values()], truth };
}
