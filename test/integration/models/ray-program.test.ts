import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { type ResultManifest, resultManifest } from '../../../src-main/contract/schemas/results.ts';
import { DEFAULT_PIXEL_LIMIT, decodeImage } from '../../../src-main/infra/images/decode-image.ts';
import { workingPxFor } from '../../../src-main/infra/images/working-image.ts';
import { openImageEncoder } from '../../../src-main/infra/inference/image-encoder.ts';
import { writeImages } from '../../support/images.ts';
import { findModels } from '../../support/models.ts';
import { needs } from '../../support/needs.ts';
import { python, pythonWith } from '../../support/python.ts';
import { rayEnvironment, startRayCluster } from '../../support/ray-cluster.ts';
import { sha256 } from '../../support/results.ts';
import { repository } from '../../support/server.ts';
import { sharedModels } from '../../support/shared-models.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const N_IMAGES = 24;
/** Items of the manifest, which lists each image several times, so that the run lasts. */
const N_ITEMS = 480;
const models = findModels();

/** Runs the program. @param onProgress Called with the number of finished items. */
async function embed(address: string, folder: string, onProgress: (nDone: number) => void): Promise<string> {
  const file = (name: string) => join(folder, name);
  const child = spawn(
    python,
    [
      join(repository, 'integrations', 'ray', 'embed.py'),
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
  return output;
}

const real = needs(models, pythonWith('ray', 'onnxruntime', 'pyarrow', 'PIL'));
it('gives the vectors of the app, though a node dies on the way', { ...real, timeout: 900_000 }, async () => {
  if (!('root' in models)) throw new Error('no models');
  const folder = await temporaryFolder();
  const photos = join(folder, 'photos');
  await writeImages(
    photos,
    Array.from({ length: N_IMAGES }, (_, seed) => seed + 1),
  );
  const names = Array.from({ length: N_IMAGES }, (_, at) => `image-${String(at + 1).padStart(5, '0')}.jpg`);
  await writeFile(join(photos, 'damaged.jpg'), (await readFile(join(photos, names[0] ?? ''))).subarray(0, 900));
  const { clip } = sharedModels(models.root, await temporaryFolder());
  await cp(clip.folder, join(folder, 'model'), { recursive: true });
  const described = {
    id: clip.model_id,
    name: 'Stand-in',
    type: clip.type,
    package_id: 'standin-clip',
    runner: clip.runner,
  };
  await writeFile(join(folder, 'model', 'vitrine.json'), JSON.stringify({ packages: [], models: [described] }));
  const items = Array.from({ length: N_ITEMS }, (_, at) => ({ id: `item-${at}`, name: names[at % N_IMAGES] ?? '' }));
  const listed = [...items, { id: 'damaged', name: 'damaged.jpg' }, { id: 'missing', name: 'missing.jpg' }];
  const column = (name: string, data: string[]) => ({ name, type: 'STRING' as const, data });
  const columnData = [
    column(
      'media_id',
      listed.map(({ id }) => id),
    ),
    column(
      'uri',
      listed.map(({ name }) => `file://${photos}/${name}`),
    ),
  ];
  await writeFile(join(folder, 'manifest.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));

  const cluster = await startRayCluster(join(folder, 'ray'));
  let isKilled = false;
  try {
    await embed(cluster.address, folder, (nDone) => {
      if (isKilled || nDone === 0 || nDone > N_ITEMS / 2) return;
      isKilled = true;
      cluster.killSecondNode();
    });
  } finally {
    await cluster.close();
  }
  expect(isKilled).toBe(true);

  const manifest: ResultManifest = resultManifest.parse(
    JSON.parse(await readFile(join(folder, 'results', 'manifest.json'), 'utf8')),
  );
  expect(manifest).toMatchObject({ kind: 'embeddings', dim: 512, preprocessing: clip.runner.input });
  const vectors = new Map<string, number[]>();
  for (const { file, rows, sha256: hash } of manifest.parts) {
    const path = join(folder, 'results', file);
    expect(sha256(await readFile(path))).toBe(hash);
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
    expect(read).toHaveLength(rows);
    for (const row of read) vectors.set(String(row.media_id), row.embedding as number[]);
  }
  expect([...vectors.keys()].toSorted()).toEqual(items.map(({ id }) => id).toSorted());
  const failed = JSON.parse(await readFile(join(folder, 'results', 'failed.json'), 'utf8')) as { media_id: string }[];
  expect(failed.map(({ media_id }) => media_id).toSorted()).toEqual(['damaged', 'missing']);

  const session = { executionProviders: ['cpu'], threads: 1 };
  const model = await openImageEncoder(clip.folder, clip.runner, { session, alive: () => undefined });
  for (const [at, name] of names.entries()) {
    const decoded = await decodeImage(await readFile(join(photos, name)), {
      pixelLimit: DEFAULT_PIXEL_LIMIT,
      workingPx: (image) => workingPxFor(image, model.neededScale(image)),
    });
    const { outputs } = await model.apply([await model.prepare(decoded.working, decoded)]);
    const [output] = outputs;
    if (output?.kind !== 'vector') throw new Error('no vector');
    const there = vectors.get(`item-${at}`) ?? [];
    const cosine = output.vector.reduce((sum, value, axis) => sum + value * (there[axis] ?? 0), 0);
    expect(cosine, name).toBeGreaterThan(0.999);
  }
});
