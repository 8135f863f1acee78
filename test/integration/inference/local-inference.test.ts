import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ModelOutput } from '../../../src-main/core/ports/inference.ts';
import { Claims } from '../../../src-main/infra/giving-way/claims.ts';
import { LocalModels } from '../../../src-main/infra/inference/local-models.ts';
import { addVisualDescriptor } from '../../../src-main/infra/inference/visual-descriptor.ts';
import { type Compute, createCompute } from '../../../src-main/infra/local-jobs/create-compute.ts';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { createUrlFetcher } from '../../../src-main/infra/storage/fetch-url.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const repository = join(import.meta.dirname, '../../..');
const models = new LocalModels();
const encoder = addVisualDescriptor(models, join(repository, 'resources'));
const urls = createUrlFetcher({ allowPrivate: () => true, maxAttempts: 1 });
let compute: Compute;
let server: Server;
let address = '';
let temporary = '';
let paths: string[] = [];

beforeAll(async () => {
  temporary = await temporaryFolder(atEnd);
  paths = await writeImages(await temporaryFolder(atEnd), [1, 2]);
  server = createServer(async ({ url }, response) => {
    const path = paths[Number(url?.slice(1))];
    response.statusCode = path === undefined ? 404 : 200;
    response.end(path && (await readFile(path)));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entryFile = join(repository, 'src-main/infra/local-jobs/compute.worker.ts');
  const options = {
    size: 1,
    entryFile,
    spawn: spawnNodeChild(silentLog),
    claims: new Claims(),
    log: silentLog,
    modelDevice: () => 'cpu',
  };
  compute = createCompute(options, models, { urls, temporaryFolder: temporary });
});
afterAll(async () => {
  await compute.close();
  urls.close();
  server.close();
});

const vectorOf = (output: ModelOutput | undefined): Float32Array => {
  if (output?.kind !== 'vector') throw new Error('no vector');
  return output.vector;
};

const similarity = (a: Float32Array | undefined, b: Float32Array): number =>
  a?.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) ?? 0;

it('gives the same results for an image as bytes, by address and as a local file', async () => {
  const [path = '', other = ''] = paths;
  const files = await compute.localJobs.applyModels([{ key: 0, path }], [encoder.model]);
  const results = await compute.inference.applyToImages(
    [
      { key: 7, content: { bytes: await readFile(path) } },
      { key: 8, content: { url: `${address}/0` } },
      { key: 9, content: { bytes: await readFile(other) } },
    ],
    [encoder.model],
  );
  const [first] = files;
  if (!first?.ok) throw new Error('the file was not read');
  const expected = vectorOf(first.outputs[0]);
  const found = results.map((result) => (result.ok ? vectorOf(result.outputs[0]) : undefined));
  expect(results.map(({ key }) => key)).toEqual([7, 8, 9]);
  // The batch size changes the last digits.
  expect(found.map((vector) => similarity(vector, expected) > 0.99999)).toEqual([true, true, false]);
  expect(results[0]).toMatchObject({ ok: true, width: first.width, height: first.height });
  expect(readdirSync(temporary)).toEqual([]);
});

it('reports missing and broken images, and processes the others', async () => {
  const results = await compute.inference.applyToImages(
    [
      { key: 0, content: { url: `${address}/gone` } },
      { key: 1, content: { bytes: Buffer.from('no image') } },
      { key: 2, content: { bytes: await readFile(paths[0] ?? '') } },
    ],
    [encoder.model],
  );
  expect(results).toMatchObject([
    { key: 0, ok: false, kind: 'unreadable' },
    { key: 1, ok: false, kind: 'unsupported' },
    { key: 2, ok: true },
  ]);
});

it('refuses a version of a model that it does not have', async () => {
  const version = { ...encoder.model, version: 'another' };
  await expect(compute.inference.applyToImages([], [version])).rejects.toMatchObject({ code: 'unavailable' });
  await expect(compute.inference.tryModel(version)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(compute.inference.tryModel(encoder.model)).resolves.toBeUndefined();
});
