import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { findMedia } from '../support/media.ts';
import { serve } from '../support/serve.ts';
import { childrenOf, runServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const IMAGES = 160;
let images: string;

beforeAll(async () => {
  images = await temporaryFolder(atEnd);
  await writeImages(
    images,
    Array.from({ length: IMAGES }, (_, seed) => seed),
  );
});

/** Waits until some but not all files are read. */
async function midway(api: Api, id: string): Promise<void> {
  await until(
    () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`),
    ({ body }) => body.tasks[0]?.step === 'Reading media' && (body.tasks[0]?.done ?? 0) >= 32,
  );
}

/** Returns items by path, read from the dataset's database while no server has it open. */
function savedItems(data: string, id: string): Map<string, string> {
  const db = new Database(join(data, 'datasets', id, '1', 'data.db'), { readonly: true });
  const rows = db
    .prepare<[], { file_path: string; media_id: string }>(
      'SELECT file_path, media_id FROM media JOIN file USING (file_id)',
    )
    .all();
  db.close();
  return new Map(rows.map((row) => [row.file_path, row.media_id]));
}

describe('kill -9 during indexing', () => {
  it('of the server: the next start resumes and repeats no finished item', async () => {
    const data = await temporaryFolder();
    const first = await serve(data);
    const id = await first.api.createFromFolder('killed', images);
    await midway(first.api, id);
    await first.server.stop('SIGKILL');
    const before = savedItems(data, id);
    expect(before.size).toBeGreaterThan(0);
    expect(before.size).toBeLessThan(IMAGES);

    const second = await openData(data);
    expect(await second.api.waitFor(id, 'READY')).toMatchObject({ n_images: IMAGES, n_file_errors: 0 });
    await second.close();
    const after = savedItems(data, id);
    expect(after.size).toBe(IMAGES);
    for (const [path, mediaId] of before) expect(after.get(path)).toBe(mediaId);
  });

  it('of every compute process: nothing is lost and no file is blamed', async () => {
    const { server, api } = await serve(await temporaryFolder());
    const id = await api.createFromFolder('children killed', images);
    await midway(api, id);
    const children = childrenOf(server);
    expect(children.length).toBeGreaterThan(0);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: IMAGES, n_file_errors: 0 });
  });

  it('SIGTERM stops cleanly and the next start resumes', async () => {
    const data = await temporaryFolder();
    const first = await serve(data);
    const id = await first.api.createFromFolder('stopped', images);
    await midway(first.api, id);
    expect(await first.server.stop('SIGTERM')).toBe(0);
    const second = await openData(data);
    expect(await second.api.waitFor(id, 'READY')).toMatchObject({ n_images: IMAGES });
  });
});

describe('abort and retry of a creation', () => {
  it('keep the files that were read', async () => {
    const { api } = await openData(await temporaryFolder());
    const id = await api.createFromFolder('aborted', images);
    await midway(api, id);
    const { body: list } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`);
    const taskId = list.tasks[0]?.task_id;
    expect((await api.post(`/tasks/${taskId}/abort`)).body).toMatchObject({ status: 'ABORTED' });
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'ERROR' });
    expect((await api.post(`/tasks/${taskId}/abort`)).status).toBe(409);
    expect((await api.post(`/tasks/${taskId}/retry`)).body).toMatchObject({ status: 'INITIALIZING' });
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: IMAGES, fatal_error_msg: null });
    expect((await api.post(`/tasks/${taskId}/retry`)).status).toBe(400);
  });

  it('a dataset deleted meanwhile disappears at once', async () => {
    const data = await temporaryFolder();
    const { api } = await openData(data);
    const id = await api.createFromFolder('deleted', images);
    await midway(api, id);
    expect((await api.call('DELETE', `/dataset/${id}`)).status).toBe(200);
    expect((await api.get(`/dataset/${id}`)).status).toBe(404);
    await until(async () => (await readdir(join(data, 'datasets'))).length === 0);
  });
});

describe('a start that cannot succeed', () => {
  it('reports that another process uses the data folder', async () => {
    const data = await temporaryFolder();
    await openData(data);
    const { code, stderr } = await runServer(data);
    expect(code).toBe(1);
    expect(stderr.trim()).toBe('Another Vitrine is already using this data folder');
  });

  it('refuses a data folder of a newer version and leaves it unchanged', async () => {
    const data = await temporaryFolder();
    const { close } = await openData(data);
    await close();
    const db = new Database(join(data, 'catalog.db'));
    db.pragma('user_version = 999');
    db.close();
    const before = await readFile(join(data, 'catalog.db'));
    const { code, stderr } = await runServer(data);
    expect(code).toBe(1);
    expect(stderr).toContain('newer version of Vitrine');
    expect(await readFile(join(data, 'catalog.db'))).toEqual(before);
  });

  it('reports that the data folder cannot be created', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'file'), '');
    const { code, stderr } = await runServer(join(folder, 'file', 'data'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/data folder cannot be created/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('deletes folders that belong to no dataset', async () => {
    const data = await temporaryFolder();
    const first = await openData(data);
    await first.close();
    await mkdir(join(data, 'datasets', 'left-over', '1'), { recursive: true });
    await mkdir(join(data, 'media', 'left-over'), { recursive: true });
    await writeFile(join(data, 'temporary', 'left-over'), 'x');
    await openData(data);
    expect(await readdir(join(data, 'datasets'))).toEqual([]);
    expect(await readdir(join(data, 'media'))).toEqual([]);
    expect(await readdir(join(data, 'temporary'))).toEqual([]);
  });
});

describe('a full disk', () => {
  it('fails the creation with a clear message, and a retry after making room finishes it', async (context) => {
    const folder = await temporaryFolder();
    const data = join(folder, 'small');
    await mkdir(data);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', data], { stdio: 'ignore' });
    } catch {
      context.skip('a small file system can only be mounted by root');
    }
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', data]);
    });
    const { server, api } = await serve(data);
    const id = await api.createFromFolder('too large', images);
    await expect(api.waitFor(id, 'READY')).rejects.toThrow(/disk .* is full/);
    execFileSync('mount', ['-o', 'remount,size=200m', data]);
    const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`);
    await api.post(`/tasks/${body.tasks[0]?.task_id}/retry`);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: IMAGES });
    await server.stop();
  });
});

describe('odd files among good ones', () => {
  it('do not affect the others', async (context) => {
    const media = findMedia();
    if ('missing' in media) return context.skip(media.missing);
    const folder = await temporaryFolder();
    for (const odd of ['odd/pngsuite', 'odd/smallest_files', 'videos/mp4parse_odd'])
      await cp(join(media.root, odd), join(folder, odd), { recursive: true });
    for (let seed = 0; seed < 20; seed += 1) await writeFile(join(folder, `good-${seed}.jpg`), await image(seed));
    const { api } = await serve(await temporaryFolder());
    const id = await api.createFromFolder('mixed', folder);
    const ready = await api.waitFor(id, 'READY');
    expect(ready.n_images).toBeGreaterThan(20);
    const { body } = await api.get<{ file_errors: { file_path: string; reason: string }[]; total: number }>(
      `/dataset/${id}/file_errors?page_size=500`,
    );
    expect(body.total).toBe(ready.n_file_errors);
    expect(body.file_errors.filter((error) => error.file_path.startsWith('good-'))).toEqual([]);
    const broken = body.file_errors.filter((error) => /pngsuite\/png\/x\w+\.png$/.test(error.file_path));
    expect(broken).toHaveLength(14);
    for (const error of body.file_errors) expect(error.reason).not.toBe('');
  });
});
