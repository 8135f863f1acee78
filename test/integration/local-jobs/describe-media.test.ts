import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatMessage } from '../../../src-main/contract/messages.ts';
import type { ImageResult } from '../../../src-main/core/ports/local-jobs.ts';
import type { LocalModel } from '../../../src-main/infra/inference/local-models.ts';
import { addVisualDescriptor, localDescriptor } from '../../../src-main/infra/inference/visual-descriptor.ts';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { localModels, testCompute } from '../../support/compute.ts';
import { findMedia } from '../../support/media.ts';
import { needs } from '../../support/needs.ts';
import { silentLog } from '../../support/silent-log.ts';

const repository = join(import.meta.dirname, '../../..');
const media = findMedia();
if ('missing' in media) console.log(`skipped: describing real images (${media.missing})`);
const root = 'root' in media ? media.root : '';

const encoder = addVisualDescriptor(localModels, join(repository, 'resources'));
const filesIn = (folder: string, extension = '') =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(root, folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
const requests = (paths: string[]) => paths.map((path, key) => ({ key, path }));
const vectorOf = (result: ImageResult | undefined) => {
  if (result?.ok !== true) throw new Error('The image was not described.');
  return result.vectors.looks ?? new Float32Array();
};

describe('the compute worker on real images', needs(media), () => {
  const pool = testCompute({
    size: 2,
    entryFile: join(repository, 'src-main/infra/local-jobs/compute.worker.ts'),
    spawn: spawnNodeChild(silentLog),
    log: silentLog,
  });
  afterAll(() => pool.close());

  it('describes photos in order, independently of the other photos', async () => {
    const photos = filesIn('photos/coco/images', '.jpg').slice(0, 11);
    const results = await pool.describeImages(requests(photos), { looks: encoder });
    expect(results.map((result) => result.key)).toEqual(photos.map((_, key) => key));
    for (const [at, result] of results.entries()) {
      if (!result.ok) throw new Error(formatMessage(result.reason));
      expect(result.size_bytes).toBe(statSync(photos[at] ?? '').size);
      expect(result.format).toBe('jpeg');
      expect(result.content_hash).toMatch(/^[0-9a-f]{64}$/);
      expect(Buffer.from(result.thumbnail.subarray(8, 12)).toString()).toBe('WEBP');
      expect(vectorOf(result)).toHaveLength(encoder.dim);
      expect(Math.hypot(...vectorOf(result))).toBeCloseTo(1, 4);
    }
    const [alone] = await pool.describeImages(requests(photos.slice(5, 6)), { looks: encoder });
    const [a, b] = [vectorOf(alone), vectorOf(results[5])];
    expect(a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)).toBeCloseTo(1, 5);
  });

  it('odd files do not affect other photos, and each is reported by its kind', async () => {
    const photos = filesIn('photos/coco/images', '.jpg').slice(0, 6);
    const odd = filesIn('odd');
    const clips = filesIn('videos').filter((path) => /\.(mp4|webm)$/.test(path));
    const mixed = [...photos.slice(0, 3), ...odd, ...clips, ...photos.slice(3)];
    const half = Math.ceil(mixed.length / 2);
    const chunks = await Promise.all([
      pool.describeImages(requests(mixed.slice(0, half)), { looks: encoder }),
      pool.describeImages(requests(mixed.slice(half)), { looks: encoder }),
    ]);
    const results = chunks.flat();
    expect(results).toHaveLength(mixed.length);
    const plain = await pool.describeImages(requests(photos), { looks: encoder });
    const among = [...results.slice(0, 3), ...results.slice(-3)];
    for (const [at, result] of among.entries()) {
      expect(result).toMatchObject({ ok: true, content_hash: plain[at]?.ok === true ? plain[at].content_hash : '' });
      const [a, b] = [vectorOf(result), vectorOf(plain[at])];
      expect(a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)).toBeCloseTo(1, 5);
    }
    const failed = results.flatMap((result, at) => (result.ok ? [] : [{ ...result, name: basename(mixed[at] ?? '') }]));
    expect(failed.filter(({ kind }) => kind === 'crashed')).toEqual([]);
    for (const { reason } of failed) {
      expect(formatMessage(reason)).not.toBe('');
      expect(formatMessage(reason)).not.toContain(root);
    }
    const broken = mixed.map((path) => basename(path)).filter((name) => /^x.*\.png$/.test(name));
    expect(broken.length).toBeGreaterThanOrEqual(14);
    expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(broken));
    for (const clip of clips.map((path) => basename(path))) expect(failed.map(({ name }) => name)).toContain(clip);
    expect(pool.status().deaths).toBe(0);
  });

  it('reports a missing file and a model that cannot be loaded', async () => {
    const [gone] = await pool.describeImages([{ key: 7, path: join(root, 'no-such-image.jpg') }], { looks: encoder });
    expect(gone).toMatchObject({ key: 7, ok: false, kind: 'unreadable' });
    const model = localDescriptor(root);
    const runner = { ...model.runner, model_file: 'README.md' } as LocalModel['runner'];
    const broken = { ...encoder, model: localModels.add({ ...model, folder: root, runner }) };
    const photos = requests(filesIn('photos/coco/images', '.jpg').slice(0, 1));
    await expect(pool.describeImages(photos, { looks: broken })).rejects.toMatchObject({
      code: 'unavailable',
      message: `The model "${model.model_id}" cannot be loaded: its files are not the expected ones, or damaged.`,
    });
    expect(pool.status().deaths).toBe(0);
  });
});
