import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../../src-main/contract/schemas/explore.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { check } from '../../support/check-data.ts';
import { expectSameBytes, noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';
import { importTinyModels } from '../../support/tiny-models/import-tiny-models.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
let images: string;
let sound: string;
let id: string;
let thumbnails: Record<'IMAGES' | 'OBJECTS', Thumbnail[]>;

interface Thumbnail {
  status: number;
  bytes: Buffer;
}

beforeAll(async () => {
  images = await temporaryFolder(atEnd);
  await writeImages(images, SEEDS);
  const boxes = SEEDS.map((seed) => `image-0000${seed}.jpg,${10 * seed},20,100,80,thing`);
  await writeFile(
    join(images, 'object_annotations.csv'),
    ['filename,col_x,row_y,width,height,label', ...boxes, ''].join('\n'),
  );
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  await importTinyModels(api, ['clip'], atEnd);
  id = await api.createFromFolder('sound', images, { encoder: 'clip' });
  expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: SEEDS.length, n_objects: SEEDS.length });
  thumbnails = { IMAGES: await thumbnailsOf(api, 'IMAGES'), OBJECTS: await thumbnailsOf(api, 'OBJECTS') };
  await close();
});

const VECTORS = ['looks', 'meaning'].flatMap((space) =>
  ['IMAGES', 'OBJECTS'].map((entityType) => join('vectors', space, entityType, '000000.f32')),
);
const PACKS = [
  ['IMAGES', join('thumbnails', '000000.pack')],
  ['OBJECTS', join('object-thumbnails', '000000.pack')],
] as const;

/** Opens a damaged copy of the intact data folder. */
async function serveDamaged(damage: (generation: string) => Promise<unknown>) {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  const generation = join(data, 'datasets', id, '1');
  noteFault();
  await damage(generation);
  return { api: (await openData(data)).api, generation };
}

async function flip(file: string, at: (length: number) => number): Promise<void> {
  const bytes = await readFile(file);
  const place = at(bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ 0x10;
  await writeFile(file, bytes);
}

/** Compares vector files with a tolerance, because the batch size of the model changes the last digits. */
async function expectSame(generation: string, file: string): Promise<void> {
  const [now, before] = await Promise.all([
    readFile(join(generation, file)),
    readFile(join(sound, 'datasets', id, '1', file)),
  ]);
  expect(now.length, file).toBe(before.length);
  for (let at = 0; at < now.length; at += 4) expect(now.readFloatLE(at), file).toBeCloseTo(before.readFloatLE(at), 4);
}

async function latestReindex(api: Api): Promise<Task | undefined> {
  return (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=REINDEX`)).body.tasks[0];
}

async function shown(api: Api, entityType = 'IMAGES') {
  const path = `/explore/${id}?threshold=0&page_number=0&entity_type=${entityType}`;
  return (await api.get<ExploreResult>(path)).body.clusters.flatMap(({ previews }) => previews);
}

async function thumbnailsOf(api: Api, entityType: string): Promise<Thumbnail[]> {
  const items = (await shown(api, entityType)).toSorted((a, b) => a.media_id.localeCompare(b.media_id));
  return Promise.all(
    items.map(async ({ media_thumb_uri }) => {
      const response = await fetch(media_thumb_uri);
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    }),
  );
}

/** Runs a check and waits until everything that it found is recreated. */
async function checkAndWait(api: Api): Promise<string[]> {
  await check(api);
  await until(
    () => latestReindex(api),
    (task) => task?.status === 'COMPLETED',
  );
  await api.waitFor(id, 'READY');
  const { body } = await api.get<{ events: { detail: string }[] }>('/recovery');
  return body.events.map(({ detail }) => detail);
}

describe('a byte that changed on the disk', () => {
  it.each(VECTORS)('in %s: the vector is computed again with the same value', async (file) => {
    const { api, generation } = await serveDamaged((folder) => flip(join(folder, file), (length) => length / 3));
    expect((await checkAndWait(api)).join()).toMatch(/1 vector of the (looks|meaning) of (images|objects) is damaged/);
    for (const each of VECTORS) {
      await expectSame(generation, each);
    }
    expect(await shown(api)).toHaveLength(SEEDS.length);
    expect(await shown(api, 'OBJECTS')).toHaveLength(SEEDS.length);
    expect(await check(api)).toMatchObject({ damaged: [] });
  });

  it.each(PACKS)('in a thumbnail of %s: it is never shown, and is created again', async (entityType, file) => {
    const expected = thumbnails[entityType];
    const { api } = await serveDamaged((folder) => flip(join(folder, file), () => 50));
    const damaged = await thumbnailsOf(api, entityType);
    // The look at the last rows at start finds the damage too, and may have repaired it by now.
    expect(damaged).toHaveLength(SEEDS.length);
    for (const [at, { status, bytes }] of damaged.entries()) {
      if (status !== 404) expectSameBytes(bytes, expected[at]?.bytes);
    }
    expect((await checkAndWait(api)).join()).toMatch(/1 thumbnail of (images|objects) is missing or damaged/);
    const healed = await thumbnailsOf(api, entityType);
    expect(healed.map(({ status }) => status)).toEqual(expected.map(({ status }) => status));
    for (const [at, { bytes }] of healed.entries()) expectSameBytes(bytes, expected[at]?.bytes);
    expect(await check(api)).toMatchObject({ damaged: [] });
  });

  it('in the vector that was written last is found at start', async () => {
    const file = VECTORS[1] ?? '';
    const { api, generation } = await serveDamaged((folder) => flip(join(folder, file), (length) => length - 2));
    await until(
      () => latestReindex(api),
      (task) => task?.status === 'COMPLETED',
    );
    await expectSame(generation, file);
  });
});

describe('a damaged part whose original is missing', () => {
  it('is reported as missing; the item stays, and is repaired when the file is back', async () => {
    const away = join(await temporaryFolder(), 'away.jpg');
    const original = join(images, 'image-00001.jpg');
    await rename(original, away);
    onTestFinished(() => rename(away, original).catch(() => undefined));
    const { api } = await serveDamaged(async (folder) => {
      await flip(join(folder, PACKS[0][1]), () => 50);
      await flip(join(folder, VECTORS[0] ?? ''), () => 50);
    });
    await checkAndWait(api);
    expect((await latestReindex(api))?.status_message).toMatch(/1 .* cannot be read/);
    expect(await shown(api)).toHaveLength(SEEDS.length);
    expect((await thumbnailsOf(api, 'IMAGES')).filter(({ status }) => status === 404)).toHaveLength(1);
    expect((await api.get<Dataset>(`/dataset/${id}`)).body).toMatchObject({ n_images: SEEDS.length });

    await rename(away, original);
    // A check skips a busy dataset: the inspection after a start may be repairing it, and have read before the file was back.
    await until(
      async () => {
        await checkAndWait(api);
        return latestReindex(api);
      },
      (task) => task?.status_message === 'Reindexed',
    );
    expect((await thumbnailsOf(api, 'IMAGES')).every(({ status }) => status === 200)).toBe(true);
  });

  it('is excluded from comparisons until then', async () => {
    const away = join(await temporaryFolder(), 'away.jpg');
    const original = join(images, 'image-00001.jpg');
    await rename(original, away);
    onTestFinished(() => rename(away, original).catch(() => undefined));
    const { api } = await serveDamaged((folder) => flip(join(folder, VECTORS[2] ?? ''), () => 50));
    await checkAndWait(api);
    const items = await shown(api);
    expect(items).toHaveLength(SEEDS.length);
    const idOf = (name: string) => items.find(({ file_name }) => file_name === name)?.media_id;
    const found = async (query: string) => {
      const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0&${query}`);
      return body.clusters.flatMap(({ previews }) => previews).map(({ file_name }) => file_name);
    };
    const likeSecond = await found(`anchor_type=MEDIA&anchor_media_id=${idOf('image-00002.jpg')}`);
    expect(likeSecond).toHaveLength(SEEDS.length - 1);
    expect(likeSecond).not.toContain('image-00001.jpg');
    expect(await found('caption=a%20dog')).not.toContain('image-00001.jpg');
    // The item still has its appearance embedding.
    const likeFirst = await found(`anchor_type=MEDIA&anchor_media_id=${idOf('image-00001.jpg')}`);
    expect(likeFirst).toHaveLength(SEEDS.length);
    expect(likeFirst[0]).toBe('image-00001.jpg');
  });
});

describe('a database with overwritten pages', () => {
  const scramble = async (folder: string) => {
    const file = join(folder, 'data.db');
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill(0x5a, 4096, bytes.length - 4096));
  };
  const inError = async (api: Api) => {
    const dataset = await until(
      async () => (await api.get<Dataset>(`/dataset/${id}`)).body,
      ({ status_new }) => status_new === 'ERROR',
    );
    expect(dataset.fatal_error_msg).toMatch(/^Damaged on disk: .*backup/);
  };

  it('puts the dataset into error with the reason and what to do', async () => {
    const { api } = await serveDamaged(scramble);
    const { status, body } = await api.get<{ detail: string }>(`/explore/${id}?threshold=0&page_number=0`);
    expect(status, JSON.stringify(body)).not.toBe(500);
    await inError(api);
  });

  it('is found at start, before any request for the dataset', async () => {
    const { api } = await serveDamaged(scramble);
    await inError(api);
  });

  it('is found by the repair of other damage', async () => {
    const { api } = await serveDamaged(async (folder) => {
      await scrambleTable(join(folder, 'data.db'), 'lost_part');
      await rm(join(folder, 'index'), { recursive: true });
    });
    await inError(api);
  });
});

/** Overwrites the pages of one table. The other tables stay readable. */
async function scrambleTable(file: string, table: string): Promise<void> {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const pages = db.prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ?').pluck().all(table);
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const bytes = await readFile(file);
  for (const page of pages) bytes.fill(0x5a, (page - 1) * pageBytes, page * pageBytes);
  await writeFile(file, bytes);
}

describe('the blocks of a snapshot', () => {
  it('are read by a check, which names the damaged snapshot; a new one is intact', async () => {
    const { api } = await serveDamaged(async (folder) => {
      const blocks = join(folder, '..', 'blocks');
      // The flipped byte is in the first block. A pack that starts like the first database has several equal pages and reads only the first
      // of them.
      for (const name of await readdir(blocks)) await flip(join(blocks, name), () => 100);
    });
    const [first] = (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body;
    const problem = `1 of its snapshots is damaged and cannot be restored ("${first?.snapshot_name}")`;
    expect(await check(api)).toMatchObject({
      damaged: [{ dataset_id: id, problems: [expect.stringContaining(problem)] }],
    });
    const body = JSON.stringify({ name: 'later' });
    const made = await api.call('POST', `/dataset/${id}/snapshot`, {
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(made.status, made.text).toBe(200);
    expect(JSON.stringify(await check(api))).not.toContain('later');
  });
});
