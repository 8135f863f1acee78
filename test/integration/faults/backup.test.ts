import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Backup } from '../../../src-main/contract/schemas/backup.ts';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../../src-main/contract/schemas/explore.ts';
import type { DataCheck } from '../../../src-main/contract/schemas/recovery.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { createBackups } from '../../../src-main/infra/backups/backups.client.ts';
import { restoreDataFolder } from '../../../src-main/infra/backups/restore-data-folder.ts';
import { BlockStore } from '../../../src-main/infra/blocks/block-store.ts';
import { Claims } from '../../../src-main/infra/giving-way/claims.ts';
import { type Api, until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { blockOfCatalog } from '../../support/block-of-catalog.ts';
import { expectSameBytes, expectSameFiles } from '../../support/fault-count.ts';
import { checksumsBelow } from '../../support/folder-contents.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { repository, runServer } from '../../support/server.ts';
import { silentLog } from '../../support/silent-log.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

type StoredBlock = Awaited<ReturnType<typeof blockOfCatalog>>;

const IMAGES = 12;
/** A data folder of a stopped server, with one dataset of a folder and one of uploads. */
let sound: string;
let media: string;
let indexed: Dataset[];
let shown: Map<string, Buffer>;

beforeAll(async () => {
  media = await temporaryFolder(atEnd);
  const files = await writeImages(
    media,
    Array.from({ length: IMAGES }, (_, seed) => seed),
  );
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  const ids = [await api.createFromFolder('referenced', media)];
  const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=uploaded');
  const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
  await api.upload(draft.dataset_id, transaction.trans_id, files);
  await api.post(`/ingestion/${draft.dataset_id}/process_files/${transaction.trans_id}`);
  ids.push(draft.dataset_id);
  for (const id of ids) await api.waitFor(id, 'READY');
  await api.atRest();
  indexed = (await api.get<Dataset[]>('/datasets')).body;
  shown = await everythingShown(api);
  await close();
});

/** Returns a copy of the intact data folder. */
async function copyOfSound(): Promise<string> {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  return data;
}

/** Returns thumbnails and originals of every item of every dataset, by dataset, item and kind. */
async function everythingShown(api: Api): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const { id } of (await api.get<Dataset[]>('/datasets')).body) {
    const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0&page_number=0`);
    for (const { media_id, media_thumb_uri, media_uri } of body.clusters.flatMap(({ previews }) => previews)) {
      for (const [kind, uri] of Object.entries({ thumbnail: media_thumb_uri, original: media_uri })) {
        const response = await fetch(uri);
        expect(response.status).toBe(200);
        found.set(`${id} ${media_id} ${kind}`, Buffer.from(await response.arrayBuffer()));
      }
    }
  }
  return found;
}

async function startBackup(api: Api, fields: Record<string, unknown>): Promise<string> {
  const { body, status, text } = await api.call<{ task_id: string }>('POST', '/backup', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (status !== 202) throw new Error(`a backup answered ${status}: ${text}`);
  return body.task_id;
}

async function ended(api: Api, taskId: string): Promise<Task> {
  const task = await until(
    async () =>
      (await api.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true')).body.tasks.find(
        (one) => one.task_id === taskId,
      ),
    (found) => (found?.end_time ?? null) !== null,
  );
  if (!task) throw new Error('there is no task');
  return task;
}

async function backUp(api: Api, fields: Record<string, unknown>): Promise<Backup> {
  const task = await ended(api, await startBackup(api, fields));
  expect(task).toMatchObject({ status: 'COMPLETED', error_message: null });
  const [latest] = (await api.get<{ backups: Backup[] }>('/backups')).body.backups;
  if (!latest) throw new Error('there is no backup');
  return latest;
}

/** Restores in this process. @throws What the command prints. */
const restore = (from: string, to: string, backupId?: string) =>
  restoreDataFolder({ from, to, backup_id: backupId }, () => undefined);

/** Runs the command. */
const runRestore = (from: string, to: string) => runServer(to, {}, ['restore', '--from', from]);

const packsOf = (folder: string) => readdir(join(folder, 'blocks'));

const blockBytesOf = async (folder: string) =>
  (await Promise.all((await packsOf(folder)).map((name) => stat(join(folder, 'blocks', name))))).reduce(
    (sum, { size }) => sum + size,
    0,
  );

async function writeUnneededPack(blocks: string): Promise<string[]> {
  const before = await readdir(blocks);
  const store = await BlockStore.open(blocks);
  await store.add(Buffer.from('of no backup'));
  await store.commit();
  await store.close();
  return (await readdir(blocks)).filter((name) => !before.includes(name));
}

/** Returns every row of every table of a database, without times that a start or an opening changes. */
function rowsOf(file: string): Record<string, unknown[]> {
  const db = new Database(file);
  try {
    const tables = db
      .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        db
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => JSON.stringify(row))
          .toSorted(),
      ]),
    );
  } finally {
    db.close();
  }
}

describe('a backup while the app runs', () => {
  it('restores a folder with the same bytes, from which a server gives the same answers', async () => {
    const data = await copyOfSound();
    const to = await temporaryFolder();
    const first = await openData(data);
    await backUp(first.api, { folder: to });
    await first.close();

    expect(await checksumsBelow(join(data, 'temporary'))).toEqual({});
    const restored = join(await temporaryFolder(), 'restored');
    expect(await runRestore(to, restored)).toMatchObject({ code: 0, stderr: '' });
    // No item of these datasets has boxes. The manifest of box vectors is recreated when it is missing.
    // The key that decrypts the secrets of API keys is not part of a backup. Corners of images are computed again when they are missing.
    const files = (all: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(all).filter(
          ([path]) =>
            /^(datasets|media|models|recovered)\/|\.key$/.test(path) &&
            path !== 'credentials.key' &&
            !/\.db|dataset\.json$|\.lock$|OBJECTS\/manifest\.json$|image-corners\.bin$/.test(path),
        ),
      );
    expect(files(await checksumsBelow(restored))).toEqual(files(await checksumsBelow(data)));
    expect(existsSync(join(data, 'credentials.key'))).toBe(true);
    expect(existsSync(join(restored, 'credentials.key'))).toBe(false);
    for (const { id } of indexed) {
      const database = join('datasets', id, '1', 'data.db');
      expect(rowsOf(join(restored, database))).toEqual(rowsOf(join(data, database)));
    }

    const second = await openData(restored);
    expect((await second.api.get<Dataset[]>('/datasets')).body.map(lastingFacts)).toEqual(indexed.map(lastingFacts));
    expectSameFiles(await everythingShown(second.api), shown);
    expect((await second.api.get('/recovery')).body).toEqual({ events: [], n_new: 0 });
    const { body } = await second.api.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true');
    expect(body.tasks.map(({ task_type, status }) => `${task_type} ${status}`).sort()).toEqual([
      'DATASET_CREATION COMPLETED',
      'DATASET_CREATION COMPLETED',
      'DUPLICATE_DETECTION COMPLETED',
      'DUPLICATE_DETECTION COMPLETED',
      'PROJECTION COMPLETED',
      'PROJECTION COMPLETED',
    ]);
    expect((await second.api.get<{ folder: string }>('/backups')).body.folder).toBe(to);
  });

  it('writes only the changes since the previous one', async () => {
    const data = await copyOfSound();
    const to = await temporaryFolder();
    const { api } = await openData(data);
    const first = await backUp(api, { folder: to });
    // A database and the blocks of its snapshot contain the same bytes, which are stored once.
    expect(first.new_bytes).toBeGreaterThan(first.bytes / 4);
    const second = await backUp(api, {});
    expect(second.backup_id > first.backup_id).toBe(true);
    // The catalog contains a row for the backup itself.
    expect(second.new_bytes).toBeLessThan(300_000);
    expect(second.new_bytes).toBeLessThan(first.new_bytes / 4);
    expect(second.n_files).toBe(first.n_files);
  });

  it('keeps the requested number, and deletes blocks that only the others needed', async () => {
    const data = await copyOfSound();
    const to = await temporaryFolder();
    const { api } = await openData(data);
    await backUp(api, { folder: to });
    const [gone] = indexed;
    if (!gone) throw new Error('there is no dataset');
    await api.call('DELETE', `/dataset/${gone.id}`);
    const before = await blockBytesOf(to);
    const kept = await backUp(api, { keep: 1 });
    const { body } = await api.get<{ backups: Backup[] }>('/backups');
    expect(body.backups).toEqual([kept]);
    expect(kept.datasets.map(({ dataset_id }) => dataset_id)).toEqual(indexed.slice(1).map(({ id }) => id));
    expect(await blockBytesOf(to)).toBeLessThan(before);
    await restore(to, join(await temporaryFolder(), 'restored'));
  });

  it('stores a dataset that is being indexed in a state from which it can continue', async () => {
    const folder = await temporaryFolder();
    await writeImages(
      folder,
      Array.from({ length: 80 }, (_, seed) => seed),
    );
    const to = await temporaryFolder();
    const { api, close } = await openData(await temporaryFolder());
    const id = await api.createFromFolder('in work', folder);
    await until(
      () => api.get<Dataset>(`/dataset/${id}`),
      ({ body }) => body.progress > 15,
    );
    await backUp(api, { folder: to });
    await close();
    const restored = join(await temporaryFolder(), 'restored');
    await restore(to, restored);
    const second = await openData(restored);
    expect(await second.api.waitFor(id, 'READY')).toMatchObject({ n_images: 80, display_name: 'in work' });
  });

  it('copies a damaged dataset from the previous one', async () => {
    const data = await copyOfSound();
    const to = await temporaryFolder();
    const first = await openData(data);
    await backUp(first.api, { folder: to });
    await first.close();
    const [damaged] = indexed;
    if (!damaged) throw new Error('there is no dataset');
    await writeFile(join(data, 'datasets', damaged.id, '1', 'data.db'), Buffer.alloc(90_000, 3));
    const second = await openData(data);
    const { datasets } = await backUp(second.api, { keep: 1 });
    expect(datasets.find(({ dataset_id }) => dataset_id === damaged.id)?.problem).toMatch(/could not be read/);
    const restored = join(await temporaryFolder(), 'restored');
    await restore(to, restored);
    const third = await openData(restored);
    expect(await third.api.waitFor(damaged.id, 'READY')).toMatchObject({ n_images: IMAGES });
    expectSameFiles(await everythingShown(third.api), shown);
  });

  it('is refused for unsuitable folders', async () => {
    const data = await copyOfSound();
    const { api } = await openData(data);
    const refused = async (fields: Record<string, unknown>) => {
      const { status, body } = await api.call<{ detail: string }>('POST', '/backup', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
      return `${status} ${body.detail}`;
    };
    const other = await temporaryFolder();
    await writeFile(join(other, 'letter.txt'), 'dear reader');
    expect(await refused({})).toMatch(/^400 Set a folder/);
    expect(await refused({ folder: 'relative/path' })).toMatch(/^400 .*absolute path/);
    expect(await refused({ folder: other })).toMatch(/^400 .*other things/);
    expect(await refused({ folder: join(other, 'letter.txt') })).toMatch(/^400 /);
    expect(await refused({ folder: join(other, 'no', 'drive') })).toMatch(/^400 .*connected/);
    expect(await refused({ folder: join(data, 'backups') })).toMatch(/^400 .*data folder/);
    expect(await refused({ folder: '/', keep: 0 })).toMatch(/^422 /);
    expect((await api.get(`/backups?folder=${encodeURIComponent(other)}`)).status).toBe(400);
    expect((await api.get<{ folder: null }>('/backups')).body).toEqual({ folder: null, is_there: false, backups: [] });
  });
});

describe('a backup that cannot be finished', () => {
  it('because the disk is full reports it, and affects neither earlier backups nor the app', async (context) => {
    const data = await copyOfSound();
    const disk = await smallDisk(context, 16);
    const { api } = await openData(data);
    const whole = await backUp(api, { folder: disk.data });
    const folder = await temporaryFolder();
    await writeImages(folder, [20, 21, 22, 23]);
    const id = await api.createFromFolder('more', folder);
    await api.waitFor(id, 'READY');
    await api.atRest();
    disk.fill(16);
    expect(await ended(api, await startBackup(api, {}))).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/disk for backups is full/),
    });
    expect((await api.get<{ backups: Backup[] }>('/backups')).body.backups).toEqual([whole]);
    disk.free();
    expect((await backUp(api, {})).datasets).toHaveLength(3);
  });

  it('because it is aborted unlocks the folder for the next one', async () => {
    const to = join(await temporaryFolder(), 'backups');
    const data = await temporaryFolder();
    const backups = createBackups({
      entryFile: join(repository, 'src-main', 'infra', 'backups', 'backup.worker.ts'),
      dataFolder: data,
      temporaryFolder: data,
      stores: { takeState: () => Promise.reject(new Error('there is none')) },
      claims: new Claims(),
      log: silentLog,
    });
    const begin = (signal: AbortSignal) => backups.begin(to, { signal, onBytes: () => undefined });
    await backups.choose(to);
    const aborted = new AbortController();
    const first = await begin(aborted.signal);
    aborted.abort();
    await expect(first.storeOthers()).rejects.toThrow();
    await first.close();
    const second = await begin(new AbortController().signal);
    await second.close();
    await rm(to, { recursive: true });
    await expect(begin(new AbortController().signal)).rejects.toThrow(/drive connected/);
  });
});

describe('a backup that is killed', () => {
  it('leaves earlier backups complete; the next one deletes incomplete packs', async () => {
    const data = await copyOfSound();
    const to = await temporaryFolder();
    const first = await serve(data);
    const whole = await backUp(first.api, { folder: to });
    const kept = await packsOf(to);
    // Files that a kill leaves: an incomplete pack, an incomplete manifest, and a pack that no manifest needs.
    await writeFile(join(to, 'blocks', 'half.blocks.partial'), 'half');
    const unneeded = await writeUnneededPack(join(to, 'blocks'));
    await writeFile(join(to, 'backups', 'x.json.partial'), '{');
    await startBackup(first.api, {});
    await first.server.stop('SIGKILL');
    const listed = async (api: Api) => (await api.get<{ backups: Backup[] }>('/backups')).body.backups;

    const second = await openData(data);
    const tasks = await until(
      async () => (await second.api.get<{ tasks: Task[] }>('/tasks?task_type=BACKUP')).body.tasks,
      (all) => all.every(({ end_time }) => end_time !== null),
    );
    expect(tasks.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await listed(second.api)).toContainEqual(whole);
    const left = await packsOf(to);
    expect(left).toEqual(expect.arrayContaining(kept));
    expect(left.filter((name) => name.includes('partial') || unneeded.includes(name))).toEqual([]);
    expect(await readdir(join(to, 'backups'))).not.toContain('x.json.partial');
    const restored = join(await temporaryFolder(), 'restored');
    await restore(to, restored, whole.backup_id);
    expectSameFiles(await everythingShown((await openData(restored)).api), shown);
  });
});

describe('a backup from the command line', () => {
  it('is complete even if an earlier run was killed at any moment', async () => {
    const data = await copyOfSound();
    const to = await temporaryFolder();
    const command = ['backup', '--to', to];
    const startedMs = performance.now();
    expect(await runServer(data, {}, command)).toMatchObject({ code: 0, stderr: '' });
    const tookMs = performance.now() - startedMs;
    for (const share of [0.6, 0.85]) {
      await rm(to, { recursive: true });
      await runServer(data, {}, command, tookMs * share);
      expect(await runServer(data, {}, command)).toMatchObject({ code: 0, stderr: '' });
      const restored = join(await temporaryFolder(), 'restored');
      await restore(to, restored);
      expectSameFiles(await everythingShown((await openData(restored)).api), shown);
    }
  });

  it('is made by the server that uses the data folder', async () => {
    const data = await copyOfSound();
    await serve(data);
    const to = await temporaryFolder();
    const { code, stdout, stderr } = await runServer(data, {}, ['backup', '--to', to]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Backed up 2 datasets');
    expect(await manifestsOf(to)).toHaveLength(1);
  });
});

describe('a restore', () => {
  let backups: string;
  /** Files that an uninterrupted restore creates. */
  let whole: string;
  beforeAll(async () => {
    backups = await temporaryFolder(atEnd);
    const { code, stdout } = await runServer(sound, {}, ['backup', '--to', backups]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Backed up 2 datasets') });
    whole = join(await temporaryFolder(atEnd), 'whole');
    await restore(backups, whole);
  });

  it('is refused for a folder that is not empty, without a backup, and for an unknown one', async () => {
    const data = await copyOfSound();
    expect(await runRestore(backups, data)).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
    await expect(restore(media, join(data, 'new'))).rejects.toThrow('no backups');
    await expect(restore(backups, join(await temporaryFolder(), 'new'), 'none')).rejects.toThrow('not found');
  });

  it.each([
    ['is gone', ({ pack }: StoredBlock) => rm(pack)],
    ['is cut', ({ pack, offset }: StoredBlock) => truncate(pack, offset + 10)],
    [
      'has changed',
      async ({ pack, offset, bytes }: StoredBlock) =>
        writeFile(pack, (await readFile(pack)).fill(1, offset, offset + bytes)),
    ],
  ])('writes nothing when a block %s', async (_how, damage) => {
    const from = await temporaryFolder();
    await cp(backups, from, { recursive: true });
    const [manifest = ''] = await readdir(join(from, 'backups'));
    await damage(await blockOfCatalog(from, manifest));
    const to = join(await temporaryFolder(), 'new');
    await expect(restore(from, to)).rejects.toThrow('The backup is damaged');
    await expect(stat(to)).rejects.toThrow('ENOENT');
  });

  it('resumes after a kill; until it is complete no server starts on the folder', async () => {
    const cut = join(await temporaryFolder(), 'cut');
    await cp(whole, cut, { recursive: true, preserveTimestamps: true });
    const [{ backup_id } = { backup_id: '' }] = (await manifestsOf(backups)).toReversed();
    await writeFile(join(cut, 'restoring.json'), JSON.stringify({ backup_id }));
    const paths = Object.keys(await checksumsBelow(cut)).filter((path) => path.startsWith('datasets/'));
    for (const [index, path] of paths.entries()) {
      if (index % 3 === 0) await rm(join(cut, path));
      if (index % 3 === 1) await truncate(join(cut, path), 1);
    }
    const refused = await runServer(cut);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not completely restored') });
    await restore(backups, cut);
    expect(await checksumsBelow(cut)).toEqual(await checksumsBelow(whole));
  });

  it.each([/Checking the backup: [1-9]/, /Writing: 0/, /Writing: [3-6]/])(
    'that is killed at %s is completed by the next run',
    async (line) => {
      const cut = join(await temporaryFolder(), 'cut');
      const killed = await runServer(cut, {}, ['restore', '--from', backups], line);
      expect(killed.code).toBeNull();
      await restore(backups, cut);
      expect(await checksumsBelow(cut)).toEqual(await checksumsBelow(whole));
    },
  );

  it('of one dataset adds it to the existing ones', async () => {
    const data = await copyOfSound();
    const { api } = await openData(data);
    const uploaded = indexed.find(({ display_name }) => display_name === 'uploaded');
    if (!uploaded) throw new Error('there is no dataset');
    const before = await everythingShown(api);
    // The check detects a damaged original.
    const originals = Object.keys(await checksumsBelow(join(data, 'media')));
    const original = join(data, 'media', originals[0] ?? '');
    await writeFile(original, (await readFile(original)).fill(0, 10, 20));
    await api.post('/recovery/check');
    const { body: checked } = await until(
      () => api.get<{ check: DataCheck | null }>('/recovery/check'),
      ({ body }) => body.check?.task.end_time != null,
    );
    expect(checked.check?.damaged).toEqual([
      {
        dataset_id: uploaded.id,
        name: 'uploaded',
        problems: [expect.stringContaining('restored from a backup')],
        findings: [expect.objectContaining({ code: expect.stringMatching(/^originals?_/) })],
      },
    ]);
    const snapshotsOf = async (id: string) => (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body;
    const kept = await snapshotsOf(uploaded.id);
    expect(kept).not.toEqual([]);
    // The uploaded dataset is deleted with its originals. The other dataset is unchanged.
    await api.call('DELETE', `/dataset/${uploaded.id}`);
    const [{ backup_id } = { backup_id: '' }] = (
      await api.get<{ backups: Backup[] }>(`/backups?folder=${encodeURIComponent(backups)}`)
    ).body.backups;
    const { status, body } = await api.call<{ dataset_id: string; task_id: string }>('POST', '/backups/restore', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ folder: backups, backup_id, dataset_id: uploaded.id }),
    });
    expect(status).toBe(202);
    expect(body.dataset_id).not.toBe(uploaded.id);
    expect(await api.waitFor(body.dataset_id, 'READY')).toMatchObject({
      display_name: 'uploaded (recovered)',
      n_images: IMAGES,
      source_type: uploaded.source_type,
    });
    const after = await everythingShown(api);
    const ofUploaded = [...before].filter(([key]) => key.startsWith(uploaded.id));
    expect(ofUploaded.length).toBe(IMAGES * 2);
    for (const [key, bytes] of ofUploaded) {
      expectSameBytes(bytes, after.get(key.replace(uploaded.id, body.dataset_id)));
    }
    const restored = await snapshotsOf(body.dataset_id);
    const facts = ({ snapshot_name, created_at, n_images, is_current }: Snapshot) => ({
      ...{ snapshot_name, created_at, n_images, is_current },
    });
    expect(restored.map(facts)).toEqual(kept.map(facts));
    expect((await api.post(`/dataset/${body.dataset_id}/snapshot/${restored[0]?.snapshot_id}/restore`)).status).toBe(
      202,
    );
    expect(await api.waitFor(body.dataset_id, 'READY')).toMatchObject({ n_images: IMAGES });
    const unknown = await api.call('POST', '/backups/restore', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ folder: backups, backup_id, dataset_id: body.dataset_id }),
    });
    expect(unknown.status).toBe(404);
  });
});

async function manifestsOf(folder: string): Promise<Backup[]> {
  const names = (await readdir(join(folder, 'backups'))).toSorted();
  const files = names.map((name) => readFile(join(folder, 'backups', name), 'utf8'));
  return (await Promise.all(files)).map((text) => (JSON.parse(text) as { manifest: Backup }).manifest);
}

/** A dataset without the fields that a restore changes: signed addresses, and disk space, which is counted in the background. */
function lastingFacts({
  preview_uri: _uri,
  preview_uris: _uris,
  disk_bytes: _bytes,
  n_frames: _frames,
  ...dataset
}: Dataset) {
  return dataset;
}
