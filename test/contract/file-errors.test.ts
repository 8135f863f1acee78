import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FileError } from '../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { image, writeImages } from '../support/images.ts';
import { needs, posix } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let api: Api;
let data: string;

beforeAll(async () => {
  data = await temporaryFolder(atEnd);
  ({ api } = await openData(data, { finished: atEnd }));
});

interface Errors {
  file_errors: FileError[];
  total: number;
  by_kind: Record<string, number>;
}

async function errors(id: string, query = ''): Promise<Errors> {
  return (await api.get<Errors>(`/dataset/${id}/file_errors${query}`)).body;
}

async function formOf(files: Record<string, Buffer | string>): Promise<FormData> {
  const body = new FormData();
  for (const [name, content] of Object.entries(files))
    body.append('files', new Blob([new Uint8Array(Buffer.from(content))]), name);
  return body;
}

async function draft(name: string): Promise<{ id: string; uploads: string; process: string }> {
  const { body } = await api.get<{ dataset_id: string }>(`/ingestion/new_dataset?dataset_name=${name}`);
  const id = body.dataset_id;
  const { body: open } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
  const at = (step: string) => `/ingestion/${id}/${step}/${open.trans_id}`;
  return { id, uploads: at('data_files'), process: at('process_files') };
}

describe('partly damaged videos', needs(ffmpegPrograms), () => {
  it('give their readable frames, and are listed', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'hurt.avi');
    makeWithFfmpeg(['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=5', '-t', '8', '-c:v', 'mpeg4', '-g', '5', path]);
    const bytes = await readFile(path);
    for (let at = Math.round(bytes.length * 0.4); at < bytes.length * 0.6; at += 7) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    await writeFile(path, bytes);
    const id = await api.createFromFolder('hurt', folder);
    await api.waitFor(id, 'READY');
    const dataset = (await api.get<{ n_videos: number; n_file_errors: number }>(`/dataset/${id}`)).body;
    expect(dataset).toMatchObject({ n_videos: 1, n_file_errors: 1 });
    expect(await errors(id)).toMatchObject({
      file_errors: [
        {
          file_path: 'hurt.avi',
          kind: 'corrupt',
          reason: expect.stringContaining('Part of the video'),
          problem: { code: 'video_partly_damaged', params: {} },
        },
      ],
      total: 1,
      by_kind: { corrupt: 1 },
    });
    const { body } = await api.get<{ batches: object[] }>(`/dataset/${id}/batches`);
    expect(body.batches).toMatchObject([{ n_files: 1, n_done: 1, n_failed: 1 }]);
  });
});

describe('uploads of other files', () => {
  it('are file errors of a new dataset, each once even if sent repeatedly', async () => {
    const { id, uploads, process } = await draft('notes');
    for (let time = 0; time < 2; time += 1) {
      const body = await formOf({ 'a.jpg': await image(1), 'deep/notes.txt': 'words', 'table.xlsx': 'rows' });
      const sent = await api.call<{ accepted: number; refused: object[] }>('POST', uploads, { body });
      expect(sent).toMatchObject({
        status: 202,
        body: { accepted: 1, refused: [{ file_name: 'deep/notes.txt' }, {}] },
      });
    }
    expect((await api.post(process)).status).toBe(202);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, n_file_errors: 2 });
    const found = await errors(id);
    expect(found).toMatchObject({
      total: 2,
      by_kind: { unsupported: 2 },
      file_errors: [
        { file_path: 'deep/notes.txt', file_name: 'notes.txt', kind: 'unsupported', size_bytes: 5 },
        {
          file_path: 'table.xlsx',
          kind: 'unsupported',
          reason: expect.stringContaining('known format'),
          problem: { code: 'file_of_unknown_format', params: {} },
        },
      ],
    });
  });

  it('do not make a dataset alone', async () => {
    const { id, uploads, process } = await draft('only notes');
    for (const file of ['notes.txt', 'images.zip']) {
      const sent = await api.call('POST', uploads, { body: await formOf({ [file]: 'words' }) });
      expect(sent).toMatchObject({ status: 400, body: { detail: expect.stringContaining('known format') } });
    }
    expect(await api.post(process)).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    await api.call('POST', uploads, { body: await formOf({ 'a.jpg': await image(2) }) });
    expect((await api.post(process)).status).toBe(202);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, n_file_errors: 2 });
  });

  it('are file errors of the batch that added them', async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [3, 4]);
    await writeFile(join(folder, 'broken.jpg'), 'not an image');
    const id = await api.createFromFolder('later notes', folder);
    await api.waitFor(id, 'READY');
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 2, n_ungrouped: 0 });
    const add = async (files: Record<string, Buffer | string>) =>
      api.call('POST', `/dataset/${id}/add_media`, { body: await formOf(files) });
    expect((await add({ 'b.jpg': await image(5), 'notes.txt': 'words' })).status).toBe(202);
    expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_images: 3, n_file_errors: 2 });
    const { body } = await api.get<{ batches: { batch_id: string; n_failed: number }[] }>(`/dataset/${id}/batches`);
    const [later, first] = body.batches;
    expect(body.batches).toMatchObject([{ n_failed: 1 }, { n_failed: 1 }]);
    expect(await errors(id)).toMatchObject({ total: 2 });
    expect(await errors(id, `?batch_id=${later?.batch_id}`)).toMatchObject({
      total: 1,
      by_kind: { unsupported: 1 },
      file_errors: [{ file_path: 'notes.txt', batch_id: later?.batch_id }],
    });
    expect(await errors(id, `?batch_id=${first?.batch_id}&page_size=1`)).toMatchObject({
      total: 1,
      file_errors: [{ file_path: 'broken.jpg' }],
    });
    expect(await errors(id, `?batch_id=${first?.batch_id}&kind=corrupt`)).toMatchObject({
      total: 0,
      file_errors: [],
    });
    expect(await errors(id, `?batch_id=${UNKNOWN}`)).toMatchObject({ total: 0, by_kind: {}, file_errors: [] });
    expect(await errors(id, '?batch_id=')).toMatchObject({ total: 2 });
    expect((await api.get(`/dataset/${id}/file_errors?batch_id=none`)).status).toBe(422);

    expect(await add({ 'notes.txt': 'words' })).toMatchObject({ status: 400 });
    expect((await add({ 'image_annotations.csv': 'filename,label\nb.jpg,dog\n', 'notes.txt': 'words' })).status).toBe(
      202,
    );
    await api.waitFor(id, 'PARTIAL INDEX');
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_labels: 1, n_file_errors: 3 });
  });
});

describe('unusable files of a folder', () => {
  it.runIf(process.platform === 'linux')('are listed with their reasons', async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [21, 22]);
    await writeFile(join(folder, 'empty.jpg'), '');
    await writeFile(join(folder, 'empty.mp4'), '');
    const latin = Buffer.concat([Buffer.from(`${folder}/latin `), Buffer.from([0xfc])]);
    await writeFile(Buffer.concat([latin, Buffer.from('.jpg')]), 'x');
    await mkdir(latin);
    await writeFile(Buffer.concat([latin, Buffer.from('/inside.jpg')]), 'x');
    const id = await api.createFromFolder('odd folder', folder);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 2, n_file_errors: 4 });
    expect((await errors(id)).file_errors).toMatchObject([
      { file_path: 'empty.jpg', kind: 'empty', reason: 'The file is empty.' },
      { file_path: 'empty.mp4', kind: 'empty', reason: 'The file is empty.' },
      { file_path: 'latin \uFFFD', kind: 'unreadable', reason: expect.stringContaining('not valid UTF-8') },
      { file_path: 'latin \uFFFD.jpg', kind: 'unreadable', reason: expect.stringContaining('not valid UTF-8') },
    ]);
  });
});

describe('entries of a list', () => {
  it('that are not regular files are reported one by one, and do not block the others', needs(posix), async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [23]);
    execFileSync('mkfifo', [join(folder, 'pipe.jpg'), join(folder, 'pipe.mp4')]);
    await mkdir(join(folder, 'folder.mp4'));
    const entries = ['pipe.jpg', 'pipe.mp4', 'folder.mp4', 'http://', '.', 'image-00023.jpg'];
    await writeFile(join(folder, 'list.txt'), entries.join('\n'));
    const id = await api.createFromFolder('odd list', join(folder, 'list.txt'));
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, n_file_errors: 5 });
    const found = new Map((await errors(id)).file_errors.map(({ file_path, reason }) => [file_path, reason]));
    expect(found.get('pipe.jpg')).toBe('This is not a regular file.');
    expect(found.get('pipe.mp4')).toBe('This is not a regular file.');
    expect(found.get('folder.mp4')).toBe('This is a folder, not a file.');
    expect(found.get('http://')).toContain('http');
    expect([...found.keys()]).not.toContain('');
  });
});

describe('an addition without usable files', () => {
  interface Batches {
    batches: { batch_id: string; kind: string; n_files: number; n_done: number; n_failed: number }[];
  }

  /** Creates a READY dataset of two images, and a folder for lists. */
  async function ready(name: string): Promise<{ id: string; folder: string }> {
    const folder = await temporaryFolder();
    await writeImages(folder, [11, 12]);
    const id = await api.createFromFolder(name, folder);
    await api.waitFor(id, 'READY');
    return { id, folder };
  }

  async function batches(id: string): Promise<Batches['batches']> {
    return (await api.get<Batches>(`/dataset/${id}/batches`)).body.batches;
  }

  /** Starts an addition that must fail. Returns its task and asserts that the dataset is unchanged. */
  async function fails(id: string, body: FormData): Promise<Task> {
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body })).status).toBe(202);
    const { body: list } = await until(
      () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=MEDIA_ADDITION`),
      (answer) => answer.body.tasks[0]?.status === 'FAILED',
    );
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 2, status: 'READY', fatal_error_msg: null });
    const [task] = list.tasks;
    if (!task) throw new Error('no task');
    return task;
  }

  const of = (s3Uri: string) => {
    const body = new FormData();
    body.append('s3_uri', s3Uri);
    return body;
  };

  it.each(['txt', 'csv'])('keeps the reasons of every entry of a %s list', async (format) => {
    const { id, folder } = await ready(`refused ${format}`);
    const list = join(folder, `list.${format}`);
    await writeFile(join(folder, 'notes.doc'), 'words');
    const entries = ['gone.jpg', 'notes.doc', 'http://127.0.0.1:9/private.jpg'];
    await writeFile(list, [...(format === 'csv' ? ['filename'] : []), ...entries].join('\n'));
    const task = await fails(id, of(list));
    expect(task.error_message).toContain('None of the 3 new files could be read: 2 unreadable and 1 unsupported.');
    expect(task.error_message).toMatch(/127\.0\.0\.1.*private|gone\.jpg: .*does not exist/);
    const [batch, ...others] = await batches(id);
    expect(batch).toMatchObject({ kind: 'manifest', n_files: 3, n_done: 0, n_failed: 3 });
    expect(others).toHaveLength(1);
    const found = await errors(id, `?batch_id=${batch?.batch_id}`);
    expect(found).toMatchObject({ total: 3, by_kind: { unreadable: 2, unsupported: 1 } });
    expect(found.file_errors.map(({ file_name }) => file_name).sort()).toEqual([
      'gone.jpg',
      'notes.doc',
      'private.jpg',
    ]);
    for (const { reason } of found.file_errors) expect(reason).not.toBe('');
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ n_file_errors: 3 });
    // After the list is corrected, its errors are removed.
    await writeImages(folder, [13]);
    await writeFile(join(folder, 'gone.jpg'), await image(14));
    await writeFile(list, [...(format === 'csv' ? ['filename'] : []), 'gone.jpg', 'image-00013.jpg'].join('\n'));
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body: of(list) })).status).toBe(202);
    expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_images: 4, n_file_errors: 2 });
    expect(await batches(id)).toMatchObject([{ n_done: 2, n_failed: 0 }, { n_files: 2, n_failed: 2 }, { n_done: 2 }]);
  });

  it('leaves no bytes behind', async () => {
    const { id } = await ready('refused uploads');
    const before = await readdir(join(data, 'media'));
    const task = await fails(id, await formOf({ 'a.jpg': 'no image', 'b/c.png': 'nor this', 'notes.txt': 'words' }));
    expect(task.error_message).toContain('None of the 3 new files could be read: 3 unsupported.');
    expect(await errors(id)).toMatchObject({ total: 3, by_kind: { unsupported: 3 } });
    await expect.poll(() => readdir(join(data, 'media'))).toEqual(before);
  });

  it('can be a folder, whose files are read again when it is added again', async () => {
    const { id } = await ready('refused folder');
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.jpg'), 'no image');
    await fails(id, of(folder));
    expect(await errors(id)).toMatchObject({ total: 1, file_errors: [{ file_path: 'a.jpg', kind: 'unsupported' }] });
    await writeFile(join(folder, 'a.jpg'), await image(15));
    expect((await api.call('POST', `/dataset/${id}/add_media`, { body: of(folder) })).status).toBe(202);
    expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_images: 3, n_file_errors: 0 });
    expect(await batches(id)).toMatchObject([{ n_done: 1, n_failed: 0 }, { n_done: 2 }]);
  });

  it('is reported by a dataset that failed because of it', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.jpg'), 'no image');
    await writeFile(join(folder, 'b.jpg'), 'nor this');
    const id = await api.createFromFolder('refused whole', folder);
    const { body } = await until(
      () => api.get(`/dataset/${id}`),
      (answer) => answer.body.status_new === 'ERROR',
    );
    expect(body).toMatchObject({ n_file_errors: 2, fatal_error_msg: expect.stringContaining('2 unsupported') });
  });
});
