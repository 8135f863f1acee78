import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ModelPackage } from '../../src-main/contract/schemas/model.ts';
import { Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { type ModelHub, startModelHub } from '../support/model-hub.ts';
import { COLOURS, type RecommendedPackage, recommendedPackage } from '../support/recommended-package.ts';
import { runServer, type Server, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DOWNLOAD = `/models/${COLOURS}/download`;

let made: RecommendedPackage;
let hub: ModelHub;
let server: Server;
let api: Api;

beforeAll(async () => {
  made = recommendedPackage(await temporaryFolder(atEnd));
  hub = await startModelHub(made.onHub);
  atEnd(() => hub.close());
  server = await startServer(await temporaryFolder(atEnd), environment());
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
  it('is downloaded, continued after a break, refused in a wrong version, and cut in two', async () => {
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
  });

  it('is imported from a folder with its files', async () => {
    await api.call('DELETE', `/models/${COLOURS}`);
    const { body } = await api.call<{ imported: ModelPackage[]; refused: unknown[] }>(
      'POST',
      '/models/import',
      json({ path: made.folder }),
    );
    expect(body.refused).toEqual([]);
    expect(body.imported).toMatchObject([{ package_id: COLOURS, state: 'installed', origin: 'catalogue' }]);
  });

  it('comes from a mirror first, and from the hub what the mirror lacks', async () => {
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
    expect((await runServer(data, environment(), ['models', '--recommended'])).stdout).toContain('installed already');
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
