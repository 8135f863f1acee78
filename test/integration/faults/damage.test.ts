import { cp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../../src-main/contract/schemas/explore.ts';
import type { MapView } from '../../../src-main/contract/schemas/map.ts';
import type { RecoveryEvent } from '../../../src-main/contract/schemas/recovery.ts';
import { type Api, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { check } from '../../support/check-data.ts';
import { expectSameFiles, noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { runServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

const IMAGES = 12;
let sound: string;
let id: string;
let thumbnails: Map<string, Buffer>;

beforeAll(async () => {
  const images = await temporaryFolder(atEnd);
  await writeImages(
    images,
    Array.from({ length: IMAGES }, (_, seed) => seed),
  );
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  id = await api.createFromFolder('sound', images);
  await api.waitFor(id, 'READY');
  thumbnails = await shown(api);
  expect(thumbnails.size).toBe(IMAGES);
  await onMap(api);
  await close();
});

/** Fetches and returns the thumbnails that Explore shows, by item. */
async function shown(api: Api): Promise<Map<string, Buffer>> {
  const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0&page_number=0`);
  const items = body.clusters.flatMap(({ previews }) => previews);
  const bytes = items.map(async ({ media_id, media_thumb_uri }) => {
    const response = await fetch(media_thumb_uri);
    expect(response.status).toBe(200);
    return [media_id, Buffer.from(await response.arrayBuffer())] as const;
  });
  return new Map(await Promise.all(bytes));
}

/** Waits until all items have a position on the map. */
async function onMap(api: Api): Promise<void> {
  await until(
    async () => (await api.get<MapView>(`/explore/${id}/map`)).body,
    ({ placed_items }) => placed_items === IMAGES,
  );
}

async function serveDamaged(
  damage: (generation: string, data: string) => Promise<unknown>,
): Promise<{ api: Api; data: string }> {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  noteFault();
  await damage(join(data, 'datasets', id, '1'), data);
  return { api: (await openData(data)).api, data };
}

/** Waits until damaged data is recreated, and asserts that the same results are shown as before the damage. */
async function expectHealed(api: Api): Promise<void> {
  await until(
    () => api.get<{ n_new: number }>('/recovery'),
    ({ body }) => body.n_new > 0,
  );
  await api.waitFor(id, 'READY');
  expectSameFiles(await shown(api), thumbnails);
}

const indexFile = async (generation: string, extension: string) => {
  const name = (await readdir(join(generation, 'index'))).find((file) => file.endsWith(extension));
  return join(generation, 'index', name ?? '');
};
const segment = (generation: string) => join(generation, 'vectors', 'looks', 'IMAGES', '000000.f32');
const pack = (generation: string) => join(generation, 'thumbnails', '000000.pack');

describe('damaged derived data is computed again', () => {
  it.each([
    ['an index file is missing', async (folder: string) => rm(await indexFile(folder, '.clusters'))],
    ['clusters are cut', async (folder: string) => truncate(await indexFile(folder, '.clusters'), 30)],
    [
      'the neighbour graph is overwritten',
      async (folder: string) => writeFile(await indexFile(folder, '.knn'), 'no graph'),
    ],
    ['inverted lists are cut', async (folder: string) => truncate(await indexFile(folder, '.lists'), 9)],
    ['uniqueness is emptied', async (folder: string) => truncate(await indexFile(folder, '.uniqueness'), 0)],
    ['vectors are cut', (folder: string) => truncate(segment(folder), 5000)],
    ['vectors are overwritten', (folder: string) => writeFile(segment(folder), Buffer.alloc(IMAGES * 488 * 4))],
    ['vectors are gone', (folder: string) => rm(segment(folder))],
    ['thumbnails are cut', (folder: string) => truncate(pack(folder), 3000)],
    ['thumbnails are gone', (folder: string) => rm(pack(folder))],
  ])('%s', async (_what, damage) => {
    const { api } = await serveDamaged(damage);
    await expectHealed(api);
  });

  it.each([
    ['is missing', (file: string) => rm(file)],
    ['is truncated', (file: string) => truncate(file, 30)],
  ])('a map whose file %s, while the dataset stays READY', async (what, damage) => {
    const { api } = await serveDamaged(async (folder) => damage(await indexFile(folder, '.places')));
    const { body } = await until(
      () => api.get<{ events: RecoveryEvent[]; n_new: number }>('/recovery'),
      (answer) => answer.body.n_new > 0,
    );
    expect(body.events[0]?.detail).toContain(what);
    await onMap(api);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY' });
  });

  it('a map whose file a check finds changed', async () => {
    const { api } = await serveDamaged(async (folder) => {
      const file = await indexFile(folder, '.places');
      await writeFile(file, (await readFile(file)).fill(1, 60, 64));
    });
    expect((await check(api)).damaged[0]?.problems.join()).toContain('places is damaged');
    await onMap(api);
    expect((await check(api)).damaged).toEqual([]);
  });

  it('when a check finds a damaged index file of unchanged length', async () => {
    const { api } = await serveDamaged(async (folder) => {
      const file = await indexFile(folder, '.uniqueness');
      const bytes = await readFile(file);
      await writeFile(file, bytes.fill(1, 0, 4));
    });
    expect((await check(api)).damaged[0]?.problems.join()).toContain('uniqueness is damaged');
    await expectHealed(api);
  });

  it('and a check of intact data finds nothing', async () => {
    const { api } = await serveDamaged(async () => undefined);
    expect(await check(api)).toMatchObject({ n_datasets: 1, n_busy: 0, damaged: [] });
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY' });
  });
});

describe('a dataset that cannot be restored is in error, with the reason and what to do', () => {
  it.each([
    ['its database is overwritten', (folder: string) => writeFile(join(folder, 'data.db'), Buffer.alloc(90_000, 3))],
    ['its database is cut', (folder: string) => truncate(join(folder, 'data.db'), 9000)],
    ['its database is emptied', (folder: string) => truncate(join(folder, 'data.db'), 0)],
    ['its database is missing', (folder: string) => rm(join(folder, 'data.db'))],
    ['its folder is missing', (folder: string) => rm(join(folder, '..'), { recursive: true })],
  ])('%s', async (_what, damage) => {
    const { api } = await serveDamaged(damage);
    const { body } = await api.get<Dataset>(`/dataset/${id}`);
    expect(body.status_new).toBe('ERROR');
    expect(body.fatal_error_msg).toMatch(/^Damaged on disk: .*backup/);
    expect((await api.get('/recovery')).body).toMatchObject({
      n_new: 1,
      events: [{ kind: 'damaged', dataset_id: id }],
    });
  });

  it('until its folder is back', async () => {
    const away = join(await temporaryFolder(), 'away');
    const { api, data } = await serveDamaged((folder) => rename(join(folder, '..'), away));
    expect((await api.get<Dataset>(`/dataset/${id}`)).body.status_new).toBe('ERROR');
    await rename(away, join(data, 'datasets', id));
    await check(api);
    expect((await api.get<Dataset>(`/dataset/${id}`)).body).toMatchObject({
      status_new: 'PARTIAL INDEX',
      n_images: IMAGES,
    });
  });
});

describe('a check from the command line', () => {
  it('reports the damage, waits until the data is computed again, and exits', async () => {
    const data = await temporaryFolder();
    await cp(sound, data, { recursive: true });
    await rm(await indexFile(join(data, 'datasets', id, '1'), '.knn'));
    const first = await runServer(data, {}, ['check']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/sound: .*knn is missing/);
    const second = await runServer(data, {}, ['check']);
    expect(second.stdout).toContain('1 dataset checked, 0 damaged, 0 in error');
  });

  it('exits with 2 when a snapshot cannot be restored, and prints JSON on request', async () => {
    const data = await temporaryFolder();
    await cp(sound, data, { recursive: true });
    const blocks = join(data, 'datasets', id, 'blocks');
    const [pack = ''] = await readdir(blocks);
    const bytes = await readFile(join(blocks, pack));
    await writeFile(join(blocks, pack), bytes.fill(1, 100, 200));
    const { code, stdout } = await runServer(data, {}, ['check', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      exit_code: 2,
      damaged: [{ dataset_id: id, findings: [{ code: 'snapshots_damaged' }] }],
    });
  });

  it('exits with another code when data is lost', async () => {
    const data = await temporaryFolder();
    await cp(sound, data, { recursive: true });
    await rm(join(data, 'datasets', id), { recursive: true });
    const { code, stdout } = await runServer(data, {}, ['check']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/sound: Damaged on disk: its folder is missing/);
  });
});
