import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Facets } from '../../src-main/contract/schemas/facets.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { EnrichmentContext, ModelPackage, Recommendation } from '../../src-main/contract/schemas/model.ts';
import { Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { seeded } from '../support/images.ts';
import { type ModelHub, startModelHub } from '../support/model-hub.ts';
import { COLOURS, type RecommendedPackage, recommendedPackage } from '../support/recommended-package.ts';
import { runServer, type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The graphs that the package has after its joint graph was cut. */
const PARTS = ['text_model_quantized.onnx', 'vision_model_quantized.onnx'];
const DOWNLOAD = `/models/${COLOURS}/download`;

let made: RecommendedPackage;
let hub: ModelHub;
let server: Server;
let api: Api;
let data: string;
let images: Promise<string> | undefined;

beforeAll(async () => {
  made = recommendedPackage(await temporaryFolder(atEnd));
  hub = await startModelHub(made.onHub);
  atEnd(() => hub.close());
  data = await temporaryFolder(atEnd);
  server = await startServer(data, environment());
  atEnd(() => server.stop().then(() => undefined));
  api = new Api(server.baseUrl);
});

const environment = () => ({ VITRINE_MODELS_CATALOGUE: made.catalogue, VITRINE_MODELS_HUB_URL: hub.url });

async function packageOf(on: Api): Promise<ModelPackage> {
  const [found] = (await on.get<{ packages: ModelPackage[] }>('/models')).body.packages;
  if (!found) throw new Error('the catalogue is empty');
  return found;
}

const reaches = (on: Api, state: ModelPackage['state']) =>
  until(
    () => packageOf(on),
    (one) => one.state === state,
  );

describe('the recommended package', () => {
  it('is downloaded, resumed, refused in a wrong version, and split in two', async () => {
    expect(await packageOf(api)).toMatchObject({ recommended: true, bundled: false, state: 'not_installed' });
    hub.misbehave((path) => (path === made.graph ? { kind: 'corrupt' } : undefined));
    expect((await api.call('POST', DOWNLOAD, json({}))).status).toBe(202);
    expect((await reaches(api, 'failed')).failure_reason).toContain('SHA-256 differs');

    const size = made.onHub[made.graph]?.length ?? 0;
    hub.requests.length = 0;
    hub.misbehave((path, nth) =>
      path === made.graph && nth === 1 ? { kind: 'cut', after_bytes: Math.floor(size / 2) } : undefined,
    );
    expect((await api.call('POST', DOWNLOAD, json({}))).status).toBe(202);
    await reaches(api, 'installed');
    const ranges = hub.requests.filter(({ path }) => path === made.graph).map(({ range }) => range);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
    expect(await readdir(join(data, 'models', COLOURS, 'onnx'))).toEqual(PARTS);
  });

  it('is imported from a folder with its files, and from the models of another data folder', async () => {
    const cut = await temporaryFolder();
    await cp(join(data, 'models', COLOURS), cut, { recursive: true });
    for (const path of [made.folder, cut, made.folder]) {
      if (path === cut) await api.call('DELETE', `/models/${COLOURS}`);
      const { body } = await api.call<{ imported: ModelPackage[]; refused: unknown[] }>(
        'POST',
        '/models/import',
        json({ path }),
      );
      expect(body.refused).toEqual([]);
      expect(body.imported).toMatchObject([{ package_id: COLOURS, state: 'installed', origin: 'catalogue' }]);
      expect(await readdir(join(data, 'models', COLOURS, 'onnx'))).toEqual(PARTS);
    }
  });

  it('comes from a mirror first; missing files come from the hub', async () => {
    const { [`/${COLOURS}/config.json`]: _missing, ...onMirror } = made.onMirror;
    const mirror = await startModelHub(onMirror);
    onTestFinished(() => mirror.close());
    await api.call('DELETE', `/models/${COLOURS}`);
    const { status } = await api.call('PATCH', '/models/settings', json({ mirror_url: mirror.url }));
    expect(status).toBe(200);
    hub.misbehave(() => undefined);
    hub.requests.length = 0;
    expect((await api.call('POST', DOWNLOAD, json({}))).status).toBe(202);
    await reaches(api, 'installed');
    expect(mirror.requests).toHaveLength(Object.keys(made.onMirror).length);
    expect(hub.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['config.json']);
    expect((await api.call('PATCH', '/models/settings', json({ mirror_url: 'ftp://mirror' }))).status).toBe(400);
    expect((await api.call('PATCH', '/models/settings', json({ mirror_url: '' }))).status).toBe(200);
  });
});

describe('the question of the first dataset', () => {
  it('is answered once; the download survives a kill, and datasets get semantic embeddings and tags in place', async () => {
    const data = await temporaryFolder();
    const asking = { ...environment(), VITRINE_RECOMMENDED_ENCODER: 'ask' };
    let running = await startServer(data, asking);
    onTestFinished(() => running.stop().then(() => undefined));
    let on = new Api(running.baseUrl);
    const stateOf = async () => (await on.get<Recommendation>('/models/recommendation')).body.state;
    expect(await stateOf()).toBe('ask');
    const before = await create(on, 'before');
    await on.waitFor(before, 'READY');
    const clusters = async () => (await on.get<ExploreResult>(`/explore/${before}?threshold=2`)).body.clusters;
    const rename = (clusterId: string | undefined, name: string) =>
      on.call('PATCH', `/explore/${before}/cluster/${clusterId}`, json({ name }));
    const ofBlue = (await clusters()).find(({ previews }) => previews[0]?.file_name.startsWith('blue'));
    expect(ofBlue).toMatchObject({ name: null, suggested_name: null });
    expect(await rename(ofBlue?.cluster_id, ' At sea ')).toMatchObject({ status: 200, body: { name: 'At sea' } });
    expect((await rename('00000000-0000-4000-8000-000000000000', 'x')).status).toBe(404);
    const without = await create(on, 'without', 'none');
    await on.waitFor(without, 'READY');

    const cut = Promise.withResolvers<void>();
    hub.misbehave((path) =>
      path === made.graph ? { kind: 'cut', after_bytes: 20_000, once: () => cut.promise } : undefined,
    );
    const answer = (value: string) => on.call('POST', '/models/recommendation', json({ answer: value }));
    expect((await answer('yes')).status).toBe(422);
    expect(await answer('accepted')).toMatchObject({ status: 200, body: { state: 'downloading' } });
    const meanwhile = await create(on, 'meanwhile');
    await on.waitFor(meanwhile, 'READY');
    await running.stop('SIGKILL');
    cut.resolve();
    hub.misbehave(() => undefined);

    running = await startServer(data, asking);
    on = new Api(running.baseUrl);
    await until(stateOf, (state) => state === 'installed');
    for (const id of [before, meanwhile]) {
      await until(
        () => on.get<EnrichmentContext>(`/enrichment/${id}/context`),
        ({ body }) => body.dataset_enrichment_models.enrichment_models.MULTIMODEL_IMAGE_ENCODING === COLOURS,
      );
      await on.waitFor(id, 'READY');
      expect(await colourFound(on, id, 'sea')).toBe('blue');
      expect(await colourFound(on, id, 'tree')).toBe('green');
    }
    expect((await on.get<EnrichmentContext>(`/enrichment/${without}/context`)).body).toMatchObject({
      wanted_encoder: null,
      dataset_enrichment_models: { enrichment_models: {} },
    });

    const tagsOf = async (id: string) => {
      const { body } = await on.get<Facets>(`/explore/${id}/facets`);
      return Object.fromEntries(body.labels.map(({ name, count }) => [name, count]));
    };
    const tagged = (words: Record<string, number>) =>
      until(
        () => tagsOf(before),
        (tags) => Object.entries(words).every(([word, count]) => tags[word] === count),
      );
    expect(await tagged({ tree: 8, sea: 8 })).not.toHaveProperty('road');
    expect(await tagsOf(without)).toEqual({});

    const relabel = (labels: string[] | null) => on.call('PUT', `/models/labels/${COLOURS}-tags`, json({ labels }));
    expect((await relabel(['sun', 'sea', 'sea sea', 'road'])).status).toBe(200);
    await running.stop('SIGKILL');
    running = await startServer(data, asking);
    on = new Api(running.baseUrl);
    const again = await tagged({ sun: 16, sea: 8 });
    expect(again).not.toHaveProperty('tree');

    const [named, ...others] = (await clusters()).filter(({ name }) => name !== null);
    expect(others).toEqual([]);
    expect(named).toMatchObject({ name: 'At sea', suggested_name: 'sea' });
    expect(named?.previews.every(({ file_name }) => file_name.startsWith('blue'))).toBe(true);
    expect(await rename(named?.cluster_id, '')).toMatchObject({ status: 200, body: { name: null } });
    expect((await clusters()).map(({ name }) => name)).toEqual(Array(3).fill(null));

    expect((await on.get<Facets>(`/explore/${before}/facets?label_confidence=0.6`)).body).toMatchObject({
      labels: [{ name: 'sun', count: 16 }],
      n_unlabeled: 8,
    });
    const withSea = async (filter: object) => {
      const vql = JSON.stringify([{ labels: { op: 'is', value: ['sea'], ...filter } }]);
      return (await on.get<ExploreResult>(`/explore/${before}?vql=${vql}`)).body.metadata.total_items;
    };
    expect([await withSea({}), await withSea({ confidence_min: 0.6 })]).toEqual([8, 0]);
    const image = `/image/${named?.previews[0]?.media_id}`;
    expect((await on.get<Image>(image)).body).toMatchObject({
      labels: ['sea', 'sea sea'],
      label_details: [{ source: 'colours-tags' }, { source: 'colours-tags' }],
    });
    expect((await on.get<Image>(`${image}?label_confidence=0.6`)).body).toMatchObject({
      labels: [],
      label_details: [],
    });
  });

  it('is not asked after "not now", or when downloads are forbidden', async () => {
    const data = await temporaryFolder();
    const asking = { ...environment(), VITRINE_RECOMMENDED_ENCODER: 'ask' };
    const first = await startServer(data, asking);
    const on = new Api(first.baseUrl);
    expect(await on.call('POST', '/models/recommendation', json({ answer: 'declined' }))).toMatchObject({
      body: { state: 'declined' },
    });
    await first.stop();
    const forbidden = { ...asking, VITRINE_MODELS_NEVER_DOWNLOAD: 'true' };
    const again = await startServer(data, forbidden);
    onTestFinished(() => again.stop().then(() => undefined));
    const later = new Api(again.baseUrl);
    expect((await later.get<Recommendation>('/models/recommendation')).body.state).toBe('declined');
    const requested = await later.call('POST', '/settings', json({ key: 'RECOMMENDED_ENCODER', value: 'ask' }));
    expect(requested.status).toBe(200);
    expect((await later.get<Recommendation>('/models/recommendation')).body.state).toBe('none');
  });
});

/** Writes images of plain colours once, and creates a dataset of them. */
async function create(on: Api, name: string, encoder?: string): Promise<string> {
  images ??= writeColours(await temporaryFolder(atEnd));
  const { status, body } = await on.post('/dataset', {
    dataset_name: name,
    bucket_path: await images,
    ...(encoder && { encoder }),
  });
  expect(status).toBe(200);
  return String(body.dataset_id);
}

async function writeColours(folder: string): Promise<string> {
  const random = seeded(9);
  for (const [name, channels] of Object.entries({ red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1] })) {
    for (let nth = 0; nth < 8; nth += 1) {
      const pixels = Buffer.from(
        Array.from({ length: 64 * 64 * 3 }, (_, at) => (channels[at % 3] === 1 ? 190 : 40) + Math.floor(random() * 40)),
      );
      await sharp(pixels, { raw: { width: 64, height: 64, channels: 3 } })
        .png()
        .toFile(join(folder, `${name}-${nth}.png`));
    }
  }
  return folder;
}

/** Returns the colour of the image that a text finds first. */
async function colourFound(on: Api, id: string, text: string): Promise<string | undefined> {
  const { status, body } = await on.get<ExploreResult>(`/explore/${id}?caption=${text}&threshold=0`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.clusters[0]?.previews[0]?.file_name.split('-')[0];
}

describe('npm run models', () => {
  it('lists models, and installs the recommended one with its progress', async () => {
    hub.misbehave(() => undefined);
    const data = await temporaryFolder();
    const list = await runServer(data, environment(), ['models']);
    expect(list).toMatchObject({ code: 0 });
    expect(list.stdout).toMatch(/^available +colours: Colours \(1 MB, MIT, recommended\)$/m);
    const install = await runServer(data, environment(), ['models', '--recommended']);
    expect(install).toMatchObject({ code: 0 });
    expect(install.stdout).toContain('Installed Colours');
    expect((await runServer(data, environment(), ['models', '--recommended'])).stdout).toContain('already installed');
  });

  it('installs from a folder without a network, also while a server runs on the data folder', async () => {
    const data = await temporaryFolder();
    const offline = { ...environment(), VITRINE_MODELS_NEVER_DOWNLOAD: 'true' };
    const running = await startServer(data, offline);
    onTestFinished(() => running.stop().then(() => undefined));
    const refused = await runServer(data, offline, ['models', '--recommended']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('imported from a folder') });
    const wrong = await temporaryFolder();
    await cp(made.folder, wrong, { recursive: true });
    await writeFile(join(wrong, 'onnx', 'model_quantized.onnx'), await readFile(join(wrong, 'config.json')));
    const damaged = await runServer(data, offline, ['models', '--recommended', '--from', wrong]);
    expect(damaged).toMatchObject({ code: 1 });
    const taken = await runServer(data, offline, ['models', '--recommended', '--from', made.folder]);
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('Installed Colours') });
  });
});
