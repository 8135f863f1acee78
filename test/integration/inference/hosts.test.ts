import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import type { HostDescription } from '../../../src-main/contract/schemas/inference.ts';
import type { Encoders } from '../../../src-main/core/ports/encoder.ts';
import type { AppliedImage, ModelRef } from '../../../src-main/core/ports/inference.ts';
import type { ImageRequest, ImageResult } from '../../../src-main/core/ports/local-jobs.ts';
import type { Log } from '../../../src-main/core/ports/log.ts';
import { addVisualDescriptor } from '../../../src-main/infra/inference/visual-descriptor.ts';
import type { HostTimes } from '../../../src-main/infra/inference-hosts/remote-host.ts';
import { createSpreadJobs } from '../../../src-main/infra/inference-hosts/spread-jobs.ts';
import { toWire } from '../../../src-main/infra/inference-hosts/wire-images.ts';
import { atEnd } from '../../support/at-end.ts';
import { localModels, type TestCompute } from '../../support/compute.ts';
import { image, writeImages } from '../../support/images.ts';
import { folderWithModels, readModels, SECRET, startHost } from '../../support/inference-hosts.ts';
import { childrenOf, repository, runServer, type Server } from '../../support/server.ts';
import { sharedCompute } from '../../support/shared-compute.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { version } = packageJson;
const N_CALLS = 8;
const PER_CALL = 2;
const TIMES: HostTimes = { retryMs: [20, 20], firstMs: 120_000, leastMs: 60_000 };

let data: string;
let first: Server;
let second: Server;
let local: TestCompute;
let models: ModelRef[];
let boxModels: ModelRef[];
let calls: ImageRequest[][];
let expected: AppliedImage[][];

beforeAll(async () => {
  data = await folderWithModels(['clip', 'detector', 'vit-gpt2']);
  [first, second] = await Promise.all([startHost(data), startHost(data)]);
  local = sharedCompute();
  models = await readModels(data, ['clip', 'detector', 'vit-gpt2']);
  boxModels = [addVisualDescriptor(localModels, `${repository}/resources`).model];
  const folder = await temporaryFolder(atEnd);
  const paths = await writeImages(
    folder,
    Array.from({ length: N_CALLS * PER_CALL }, (_, seed) => seed + 1),
  );
  calls = Array.from({ length: N_CALLS }, (_, nth) =>
    paths.slice(nth * PER_CALL, (nth + 1) * PER_CALL).map((path, at) => ({ key: nth * PER_CALL + at, path })),
  );
  expected = await Promise.all(calls.map((items) => local.applyModels(items, models, undefined, boxModels)));
});

const spreadOver = (
  addresses: readonly string[],
  secret = SECRET,
  times: HostTimes = TIMES,
  here = local,
  log: Log = silentLog,
) => createSpreadJobs({ local: here, hosts: () => ({ addresses, secret }), version, log, times });

/** A local pool that does nothing until it is released: all calls but its own first ones go to hosts. */
function heldLocal() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let nCalls = 0;
  const held: TestCompute = {
    ...local,
    applyModels: async (...call) => {
      nCalls += 1;
      await released;
      return local.applyModels(...call);
    },
  };
  return { held, release, count: () => nCalls };
}

const run = (spread: ReturnType<typeof spreadOver>) =>
  Promise.all(calls.map((items) => spread.localJobs.applyModels(items, models, undefined, boxModels)));

/**
 * Compares results: everything but vectors byte for byte. Which images share a batch changes the last digits of vectors, also in the pool of
 * this machine.
 */
function assertSame(found: AppliedImage[][], wanted: AppliedImage[][]): void {
  const vectorsIn = (results: AppliedImage[][]): Float32Array[] =>
    results.flat().flatMap((result) => {
      const outputs = result.ok
        ? [...result.outputs, ...result.boxes.flat().flatMap((box) => (box.ok ? box.outputs : []))]
        : [];
      return outputs.flatMap((output) => (output.kind === 'vector' ? [output.vector] : []));
    });
  const rest = (results: AppliedImage[][]) =>
    results.flat().map((result) => {
      const text = JSON.stringify({ key: result.key, ...toWire(result) });
      return text.replace(/"vector":"[^"]*"/g, '"vector":""');
    });
  expect(rest(found)).toEqual(rest(wanted));
  const others = vectorsIn(wanted);
  for (const [at, vector] of vectorsIn(found).entries()) {
    expect(similarityOf(vector, others[at])).toBeGreaterThan(0.99999);
  }
}

const similarityOf = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const description = (): HostDescription => ({
  program_version: version,
  processes: 1,
  models: [...models, ...boxModels].map(({ model_id, version: of }) => ({ model_id, version: of })),
  devices: [],
});

const post = (host: Server, body: FormData | string, secret = SECRET) =>
  fetch(`${host.baseUrl}/infer`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
  });

it('computes on hosts what this machine computes', async () => {
  const { held, release, count } = heldLocal();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  const log: Log = { ...silentLog, warn: (fields) => fail(new Error(JSON.stringify(fields))) };
  const spread = spreadOver([first.baseUrl, second.baseUrl], SECRET, TIMES, held, log);
  expect(await spread.checkHosts()).toMatchObject([
    { provider: first.baseUrl, works: true, problem: null },
    { provider: second.baseUrl, works: true, problem: null },
  ]);
  expect(spread.localJobs.size).toBe(3);
  const results = calls.map((items) => spread.localJobs.applyModels(items, models, undefined, boxModels));
  // Two calls wait here, and the hosts compute the others.
  await Promise.race([failed, Promise.all(results.slice(2))]);
  release();
  assertSame(await Promise.all(results), expected);
  expect(count()).toBe(2);
});

it('describes images with vectors from hosts as this machine does', async () => {
  const looks = addVisualDescriptor(localModels, `${repository}/resources`);
  const [model] = await readModels(data, ['clip']);
  if (model === undefined) throw new Error('the encoder is not installed');
  const [known] = expected.flat();
  const [output] = known?.ok ? known.outputs : [];
  if (output?.kind !== 'vector') throw new Error('the encoder gave no vector');
  const meaning = { encoder_id: 'clip', dim: output.vector.length, model, linkage_thresholds: [] };
  const encoders: Encoders = { looks, meaning };
  const broken = { key: 99, path: join(await temporaryFolder(), 'gone.jpg') };
  const items = [broken, ...calls.flat()];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let nWhole = 0;
  const held: TestCompute = {
    ...local,
    describeImages: async (group, wanted, signal) => {
      if (wanted.meaning !== undefined) {
        nWhole += 1;
        await released;
      }
      return local.describeImages(group, wanted, signal);
    },
  };
  const spread = spreadOver([first.baseUrl, second.baseUrl], SECRET, TIMES, held);
  await spread.checkHosts();
  // The first calls of each stay on this machine, whose pool is held; hosts and what is read here for them describe the others.
  const stays = [1, 2].map(() => spread.localJobs.describeImages(calls.flat(), encoders));
  await expect.poll(() => nWhole).toBe(2);
  const result = await spread.localJobs.describeImages(items, encoders);
  expect(nWhole).toBe(2);
  const wanted = await local.describeImages(items, encoders);
  const withoutVectors = (results: ImageResult[]) =>
    results.map((one) => (one.ok ? { ...one, vectors: undefined } : one));
  expect(withoutVectors(result)).toEqual(withoutVectors(wanted));
  for (const [at, one] of result.entries()) {
    const other = wanted[at];
    if (!one.ok || !other?.ok) continue;
    expect(similarityOf(one.vectors.looks, other.vectors.looks)).toBeGreaterThan(0.99999);
    expect(similarityOf(one.vectors.meaning, other.vectors.meaning)).toBeGreaterThan(0.99999);
  }
  release();
  await Promise.all(stays);
});

it('repeats the work of a killed host elsewhere', async () => {
  const victim = await startHost(data);
  const spread = spreadOver([victim.baseUrl, second.baseUrl]);
  await spread.checkHosts();
  // A host that is stopped accepts requests and answers none.
  victim.process.kill('SIGSTOP');
  let done = 0;
  const { promise: othersDone, resolve } = Promise.withResolvers<void>();
  const results = calls.map(async (items) => {
    const result = await spread.localJobs.applyModels(items, models, undefined, boxModels);
    done += 1;
    if (done === N_CALLS - 2) resolve();
    return result;
  });
  await othersDone;
  await victim.stop('SIGKILL');
  assertSame(await Promise.all(results), expected);
  expect((await spread.checkHosts())[0]).toMatchObject({ works: false, problem: { code: 'host_unreachable' } });
});

it('uses a host again once it answers', async () => {
  let isBroken = true;
  let nUsed = 0;
  const address = await standIn((request, response) => {
    if (isBroken) return void response.writeHead(502).end();
    if (request.url === '/models') return void response.end(JSON.stringify(description()));
    nUsed += 1;
    request.resume().on('end', () => response.writeHead(500).end());
  });
  const spread = spreadOver([address]);
  expect(await spread.checkHosts()).toMatchObject([
    { works: false, problem: { code: 'host_failed', params: { status: 502 } } },
  ]);
  isBroken = false;
  assertSame(await run(spread), expected);
  await expect.poll(async () => (await spread.checkHosts())[0]?.works).toBe(true);
  assertSame(await run(spread), expected);
  expect(nUsed).toBeGreaterThan(0);
});

it('refuses hosts with another secret, version or model by name, and computes here', async () => {
  const other = await standIn((_request, response) => {
    response.end(JSON.stringify({ ...description(), program_version: '0.0.1' }));
  });
  const lacking = await standIn((_request, response) => {
    response.end(JSON.stringify({ ...description(), models: [{ model_id: 'clip', version: 'another' }] }));
  });
  const spread = spreadOver([first.baseUrl, other, lacking], 'wrong');
  await spread.checkHosts();
  assertSame(await run(spread), expected);
  expect(await spread.checkHosts()).toMatchObject([
    { works: false, problem: { code: 'host_secret_refused' } },
    { works: false, problem: { code: 'host_of_other_version', params: { found: '0.0.1', requested: version } } },
    { works: true, problem: { code: 'host_models_differ', params: { models: expect.stringContaining('clip') } } },
  ]);
});

it('takes the work back from hosts that hang or answer nonsense', async () => {
  const hanging = await standIn((request, response) => {
    if (request.url === '/models') response.end(JSON.stringify(description()));
  });
  const confused = await standIn((request, response) => {
    if (request.url === '/models') return void response.end(JSON.stringify(description()));
    request.resume().on('end', () => response.end('{"results":[{"ok":true}]}'));
  });
  const spread = spreadOver([hanging, confused], SECRET, { retryMs: [60_000, 60_000], firstMs: 50, leastMs: 50 });
  await spread.checkHosts();
  assertSame(await run(spread), expected);
  expect(await spread.checkHosts()).toMatchObject([
    { works: false, problem: { code: 'host_too_slow' } },
    { works: false, problem: { code: 'host_answer_invalid' } },
  ]);
});

it('reports unreadable files as this machine does', async () => {
  const { held, release } = heldLocal();
  const spread = spreadOver([first.baseUrl], SECRET, TIMES, held);
  await spread.checkHosts();
  const [path = ''] = await writeImages(await temporaryFolder(), [1]);
  const items = [
    { key: 1, path: `${path}.gone` },
    { key: 2, path },
  ];
  const waiting = [1, 2].map(() => spread.localJobs.applyModels(items, models));
  const result = spread.localJobs.applyModels(items, models);
  release();
  await Promise.all(waiting);
  assertSame([await result], [await local.applyModels(items, models)]);
});

it('stops with the caller', async () => {
  const address = await standIn((request, response) => {
    if (request.url === '/models') response.end(JSON.stringify(description()));
  });
  const { held, release } = heldLocal();
  const spread = spreadOver([address], SECRET, TIMES, held);
  await spread.checkHosts();
  const stopped = new AbortController();
  const results = calls.map((items) => spread.localJobs.applyModels(items, models, stopped.signal));
  stopped.abort();
  for (const result of await Promise.allSettled(results)) expect(result.status).toBe('rejected');
  release();
});

it('answers requests that it cannot serve with their status', async () => {
  const wanted = JSON.stringify({ models, images: [{}] });
  const form = (request: string, ...files: (string | Buffer)[]) => {
    const made = new FormData();
    made.set('request', request);
    for (const file of files) made.append('image', new Blob([Uint8Array.from(Buffer.from(file))]), 'image');
    return made;
  };
  const statuses = async (...answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status);
  expect(
    await statuses(
      post(first, form(wanted, 'x'), 'wrong'),
      post(first, form('{', 'x')),
      post(first, form(wanted)),
      post(first, '{"models":[]}'),
      post(first, form(JSON.stringify({ models: [{ model_id: 'clip', version: 'another' }], images: [{}] }), 'x')),
      post(first, form(JSON.stringify({ models, images: [{}], program_version: '0.0.1' }), 'x')),
      post(first, form(wanted, Buffer.alloc(64 * 2 ** 20 + 1))),
      fetch(`${first.baseUrl}/models`),
    ),
  ).toEqual([401, 422, 422, 422, 409, 409, 413, 401]);
  const answer = await post(first, form(wanted, await image(1)));
  expect(await answer.json()).toMatchObject({ results: [{ ok: true, width: 320, height: 240 }] });
  const broken = await (await post(first, form(wanted, 'no image'))).text();
  expect(broken).toContain('"kind":"unsupported"');
  expect(broken).not.toContain(data);
  // Private addresses are refused without VITRINE_ALLOW_PRIVATE_MEDIA_URLS.
  const images = [{ url: `${first.baseUrl}/api/v1/healthcheck` }];
  expect(await (await post(first, JSON.stringify({ models, images }))).json()).toMatchObject({
    results: [{ ok: false, kind: 'unreadable' }],
  });
});

it('needs a secret', async () => {
  const ended = await runServer(data, { INFERENCE_SECRET: '' }, ['infer']);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('INFERENCE_SECRET');
});

it('finishes running requests when it is stopped', async () => {
  const host = await startHost(data);
  const bytes = await readFile(calls[0]?.[0]?.path ?? '');
  const form = new FormData();
  form.set('request', JSON.stringify({ models, images: Array.from({ length: 32 }, () => ({})) }));
  for (let nth = 0; nth < 32; nth += 1) form.append('image', new Blob([bytes]), 'image');
  const answer = post(host, form);
  // The host is busy as soon as it has started a compute process for the request.
  await expect.poll(() => childrenOf(host).length, { timeout: 20_000 }).toBeGreaterThan(0);
  const stopped = host.stop('SIGTERM');
  expect((await (await answer).json()).results).toHaveLength(32);
  expect(await stopped).toBe(0);
});
