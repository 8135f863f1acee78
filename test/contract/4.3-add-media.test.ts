import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { exploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { findMedia } from '../support/media.ts';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const run = promisify(execFile);

let s3: S3Server;
let api: Api;
let data: string;
let base: string;
let dataset: string;

beforeAll(async () => {
  s3 = await startS3Server(await temporaryFolder(atEnd));
  atEnd(() => s3.close());
  data = await temporaryFolder(atEnd);
  base = await temporaryFolder(atEnd);
  await writeImages(base, [1, 2, 3]);
  for (const [name, value] of Object.entries(S3_CREDENTIALS)) vi.stubEnv(name, value);
  ({ api } = await openData(data, { finished: atEnd, environment: { VITRINE_S3_ENDPOINT: s3.endpoint } }));
  dataset = await api.createFromFolder('grows', base);
  await api.waitFor(dataset, 'READY');
});

async function archiveOf(format: 'tar' | 'tar.gz', seeds: number[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeImages(join(folder, 'content', 'inner folder'), seeds);
  const file = join(folder, `images.${format}`);
  await run('tar', [format === 'tar' ? '-cf' : '-czf', file, '-C', join(folder, 'content'), '.']);
  return file;
}

async function addFile(field: 'files' | 'archive', file: string, extra: Record<string, string> = {}) {
  const body = new FormData();
  body.append(field, new Blob([await readFile(file)]), basename(file));
  for (const [name, value] of Object.entries(extra)) body.append(name, value);
  return api.call('POST', `/dataset/${dataset}/add_media`, { body });
}

async function count(): Promise<number> {
  return (await api.get<Dataset>(`/dataset/${dataset}`)).body.n_images;
}

/** Adds media, asserts the response and the final state, and that exactly `n` images were added. */
async function adds(
  n: number,
  add: () => Promise<{ status: number; text: string }>,
  rest: Dataset['status_new'] = 'PARTIAL INDEX',
) {
  const before = await count();
  const answer = await add();
  expect(answer).toMatchObject({ status: 202, text: '' });
  const after = await api.waitFor(dataset, rest);
  expect(after.n_images - before).toBe(n);
}

/** Adds media that already exists, and asserts that the task reports this and the dataset is unchanged. */
async function addsNothing(add: () => Promise<{ status: number }>) {
  const before = (await api.get<Dataset>(`/dataset/${dataset}`)).body;
  const batches = async () => (await api.get<{ batches: unknown[] }>(`/dataset/${dataset}/batches`)).body.batches;
  const batchesBefore = await batches();
  expect((await add()).status).toBe(202);
  const { body } = await until(
    () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=MEDIA_ADDITION`),
    (answer) => answer.body.tasks[0]?.end_time !== null,
  );
  const message = 'Nothing new: all media files that were found are in the dataset already';
  expect(body.tasks[0]).toMatchObject({ status: 'COMPLETED', status_message: message });
  const { status_new, n_images } = (await api.get<Dataset>(`/dataset/${dataset}`)).body;
  expect({ status_new, n_images }).toEqual({ status_new: before.status_new, n_images: before.n_images });
  expect(await batches()).toEqual(batchesBefore);
}

describe('each source', () => {
  it('uploaded files, browsable at once, then a reindex', async () => {
    const folder = await temporaryFolder();
    const [file] = await writeImages(folder, [10], 'uploaded');
    await adds(1, () => addFile('files', file ?? ''));
    const { clusters, metadata } = exploreResult.parse((await api.get(`/explore/${dataset}?threshold=0`)).body);
    expect(metadata.total_items).toBe(4);
    expect(clusters.flatMap((cluster) => cluster.previews.map((preview) => preview.file_name))).toContain(
      'uploaded-00010.jpg',
    );
    expect((await api.get<Dataset>(`/dataset/${dataset}`)).body.status).toBe('READY');
    const [anchor] = clusters.flatMap((cluster) => cluster.previews);
    const byAnchor = `anchor_media_id=${anchor?.media_id}&anchor_type=MEDIA`;
    const byFilter = encodeURIComponent(JSON.stringify([{ similarity: { op: 'upload', value: anchor?.media_id } }]));
    for (const query of [byAnchor, `vql=${byFilter}`]) {
      expect(await api.get(`/explore/${dataset}?${query}`)).toMatchObject({
        status: 409,
        body: { detail: 'The dataset is PARTIAL INDEX; visual search needs READY' },
      });
    }
    const similar = exploreResult.parse((await api.get(`/explore/${dataset}/similar/${anchor?.media_id}`)).body);
    expect(similar.clusters[0]?.previews[0]).toMatchObject({ media_id: anchor?.media_id, relevance_score: 0 });
    expect((await api.get(`/explore/${dataset}/similar/${UNKNOWN}`)).status).toBe(404);
    expect(await api.post(`/dataset/${dataset}/reindex`)).toMatchObject({ status: 202, text: '' });
    await api.waitFor(dataset, 'READY');
    expect((await api.post(`/dataset/${dataset}/reindex`)).status).toBe(409);
  });

  it('a tar.gz and a tar with their folders, up to READY with auto_reindex', async () => {
    const gz = await archiveOf('tar.gz', [20, 21]);
    await adds(2, () => addFile('archive', gz, { auto_reindex: 'True' }), 'READY');
    const tar = await archiveOf('tar', [22]);
    await adds(1, () => addFile('archive', tar));
    const { body } = await api.get<{ batches: { kind: string; n_done: number }[] }>(`/dataset/${dataset}/batches`);
    expect(body.batches.slice(0, 2)).toMatchObject([
      { kind: 'archive', n_done: 1 },
      { kind: 'archive', n_done: 2 },
    ]);
  });

  it('a local folder through the pipeline call, of which only new files are added', async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [30, 31]);
    const call = async () => {
      const { status } = await api.get(`/process/add_media?dataset_id=${dataset}&path=${encodeURIComponent(folder)}`);
      return { status, text: '' };
    };
    await adds(2, call);
    await writeImages(folder, [32]);
    await adds(1, call);
    await addsNothing(call);
  });

  it('a folder inside or around another, and a list of files in it: each file is one item', async () => {
    const around = await temporaryFolder();
    const folder = join(around, 'photos');
    await writeImages(join(folder, 'inside'), [33, 34]);
    const addFolder = (path: string) => () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: path });
    await adds(2, addFolder(folder));
    const [more] = await writeImages(join(folder, 'inside'), [35]);
    await adds(1, addFolder(join(folder, 'inside')));
    await writeImages(around, [36]);
    await adds(1, addFolder(around));
    const [listed] = await writeImages(join(folder, 'listed'), [37]);
    const list = join(await temporaryFolder(), 'list.txt');
    await writeFile(list, `${more}\n${listed}\n`);
    await adds(1, addFolder(list));
  });

  it('an S3 prefix, with one object that disappears meanwhile', async () => {
    for (let seed = 40; seed < 45; seed += 1) await s3.put('photos', `deep/in here/p-${seed}.jpg`, await image(seed));
    await s3.put('photos', 'deep/notes.txt', 'no media');
    let gone = false;
    s3.onRequest(async (request) => {
      if (!gone && request.method === 'GET' && request.url?.includes('p-42.jpg')) {
        gone = true;
        await s3.remove('photos', 'deep/in here/p-42.jpg');
      }
      return undefined;
    });
    await adds(4, () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: 's3://photos/deep' }));
    s3.onRequest(() => undefined);
    const { body } = await api.get<{ file_errors: { file_path: string; reason: string }[] }>(
      `/dataset/${dataset}/file_errors`,
    );
    expect(body.file_errors).toMatchObject([{ file_path: 'in here/p-42.jpg' }]);
    await s3.put('photos', 'deep/in here/p-42.jpg', await image(42));
    await adds(1, () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: 's3://photos/deep' }));
    expect((await api.get(`/dataset/${dataset}/file_errors`)).body).toMatchObject({ total: 0 });
    await addsNothing(() => api.post(`/dataset/${dataset}/add_media`, { s3_uri: 's3://photos/deep' }));
    await addsNothing(() => api.post(`/dataset/${dataset}/add_media`, { s3_uri: 'photos/deep/in here' }));
  });

  it('lists of media: txt in object storage, csv and parquet on this machine', async () => {
    for (const seed of [50, 51]) await s3.put('lists', `p-${seed}.jpg`, await image(seed));
    await s3.put('lists', 'list.txt', '# two\ns3://lists/p-50.jpg\n\np-51.jpg\n');
    await adds(2, () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: 's3://lists/list.txt' }));

    const folder = await temporaryFolder();
    const files = await writeImages(folder, [52, 53]);
    const local = [files[0], `file://${files[1]}`].join('\n');
    await s3.put('lists', 'p-54.jpg', await image(54));
    await s3.put('lists', 'foreign.txt', `${local}\np-54.jpg\n`);
    await adds(1, () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: 's3://lists/foreign.txt' }));
    const errors = await api.get<{ file_errors: { reason: string }[] }>(`/dataset/${dataset}/file_errors`);
    const reasons = errors.body.file_errors.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason.includes('cannot name files of this machine'))).toHaveLength(2);

    await writeFile(join(folder, 'list.csv'), `\ufefflabel,filename\r\n"a, b",${basename(files[0] ?? '')}\r\n`);
    await adds(1, () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: join(folder, 'list.csv') }));
    const parquet = parquetWriteBuffer({ columnData: [{ name: 'uri', data: [files[1] ?? ''], type: 'STRING' }] });
    await writeFile(join(folder, 'list.parquet'), Buffer.from(parquet));
    await adds(1, () => api.post(`/dataset/${dataset}/add_media`, { s3_uri: join(folder, 'list.parquet') }));
  });

  it('an archive as the first media of a draft', async () => {
    const { body } = await api.post<{ id: string }>('/dataset', { dataset_name: 'from archive', bucket_path: '' });
    const upload = new FormData();
    upload.append('file', new Blob([await readFile(await archiveOf('tar.gz', [60, 61]))]), 'images.tar.gz');
    expect((await api.call('POST', `/dataset/${body.id}/upload`, { body: upload })).status).toBe(200);
    expect(await api.waitFor(body.id, 'READY')).toMatchObject({ n_images: 2, source_type: 'UPLOAD' });
  });

  it('a dataset straight from object storage', async () => {
    await s3.put('fresh', 'a/1.jpg', await image(70));
    await s3.put('fresh', 'a/2.jpg', await image(71));
    const { status, body } = await api.post<{ id: string }>('/dataset', {
      dataset_name: 'from s3',
      bucket_path: 'fresh/a/',
    });
    expect(status).toBe(200);
    expect(await api.waitFor(body.id, 'READY')).toMatchObject({
      n_images: 2,
      source_type: 'BUCKET',
      source_uri: 's3://fresh/a/',
    });
  });
});

describe('video', () => {
  it('becomes frames with exact numbers and a video that plays in ranges', async (context) => {
    const media = findMedia();
    if ('missing' in media) return context.skip(media.missing);
    if (
      await run('ffmpeg', ['-version']).then(
        () => false,
        () => true,
      )
    )
      return context.skip('no ffmpeg');
    const folder = await temporaryFolder();
    const source = join(media.root, 'videos', 'pyscenedetect', 'testvideo');
    const [counter] = (await readdir(join(media.root, 'videos'), { recursive: true })).filter((name) =>
      name.endsWith('counter.mp4'),
    );
    expect(counter, source).toBeDefined();
    await writeFile(join(folder, 'counter.mp4'), await readFile(join(media.root, 'videos', counter ?? '')));
    const id = await api.createFromFolder('video', folder);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 0, n_videos: 1 });
    const { clusters } = exploreResult.parse((await api.get(`/explore/${id}?threshold=0`)).body);
    const frames = clusters
      .flatMap((cluster) => cluster.previews)
      .toSorted((a, b) => (a.frame_timestamp ?? 0) - (b.frame_timestamp ?? 0));
    expect(frames.map((frame) => frame.frame_timestamp)).toEqual([0, 1, 2]);
    expect(frames.every((frame) => frame.type === 'VIDEO_FRAME')).toBe(true);
    const item = await api.get<{ video: { frame_number: number; video_name: string }; file_path: string }>(
      `/dataset/${id}/image/${frames[1]?.media_id}`,
    );
    expect(item.body).toMatchObject({
      file_path: 'counter.mp4/output_000002.jpg',
      video: { frame_number: 10, video_name: 'counter.mp4', codec: 'h264' },
    });
    const videos = exploreResult.parse((await api.get(`/explore/${id}?entity_type=VIDEOS&threshold=4`)).body);
    expect(videos.clusters).toMatchObject([{ type: 'VIDEOS', n_videos: 1, previews: [{ type: 'VIDEO_FRAME' }] }]);
    const part = await fetch(frames[0]?.video_uri ?? '', { headers: { Range: 'bytes=0-99' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-type')).toBe('video/mp4');
  });
});

describe('refusals', () => {
  const add = (fields: Record<string, string>) => api.post(`/dataset/${dataset}/add_media`, fields);

  it('need exactly one source', async () => {
    const detail = 'Exactly one media source must be provided: files[], s3_uri, or archive';
    expect(await add({ auto_reindex: 'false' })).toMatchObject({ status: 400, body: { detail } });
    expect(await add({ s3_uri: '' })).toMatchObject({ status: 400, body: { detail } });
    const [file] = await writeImages(await temporaryFolder(), [1]);
    expect(await addFile('files', file ?? '', { s3_uri: base })).toMatchObject({ status: 400, body: { detail } });
    for (const [field, value] of [
      ['s3_uri', base],
      ['archive', new File(['PK'], 'a.zip')],
    ] as const) {
      const body = new FormData();
      for (const _time of [1, 2]) body.append(field, value);
      expect(await api.call('POST', `/dataset/${dataset}/add_media`, { body })).toMatchObject({
        status: 400,
        body: { detail: `${field}: give it once` },
      });
    }
  });

  it.each(['words.txt', 'export.json', 'report.pdf'])('%s alone is of no known format', async (name) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, name), '0 0.5 0.5 0.2 0.2');
    expect(await addFile('files', join(folder, name))).toMatchObject({
      status: 400,
      body: { detail: 'None of the files is an image or video of a known format' },
    });
  });

  it.each(['s3://no-such-bucket-here/x', 's3://photos/nothing-here', 's3://'])('%s contains nothing', async (s3Uri) => {
    expect(await add({ s3_uri: s3Uri })).toMatchObject({
      status: 400,
      body: { detail: 'Invalid S3 URI or no media files found at the given uri' },
    });
  });

  it.each([
    ['a folder that is not there', () => join(base, 'nowhere'), 'The folder does not exist'],
    ['a list that is not there', () => join(base, 'nowhere.csv'), 'The file does not exist'],
    ['a folder without media', temporaryFolder, 'No media files were found in the folder'],
    ['a relative path that no bucket can have', () => '../photos', 'The path must be absolute'],
  ])('%s is a bad storage path', async (_what, location, reason) => {
    expect(await add({ s3_uri: await location() })).toMatchObject({
      status: 400,
      body: { detail: `Invalid S3 URI or no media files found at the given uri: ${reason}` },
    });
  });

  it('explain how to name a local folder when a path names no bucket', async () => {
    const detail =
      'Invalid S3 URI or no media files found at the given uri. A local folder is named by its absolute path';
    expect(await add({ s3_uri: 'no-such-bucket-here/x' })).toMatchObject({ status: 400, body: { detail } });
  });

  it('name what is missing', async () => {
    expect(await api.post(`/dataset/${UNKNOWN}/add_media`, { s3_uri: base })).toMatchObject({
      status: 404,
      body: { detail: 'Dataset not found' },
    });
    const { body } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=never%20indexed');
    expect(await api.post(`/dataset/${body.dataset_id}/add_media`, { s3_uri: base })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('no embedding_config') },
    });
    expect((await api.post(`/dataset/${UNKNOWN}/reindex`)).status).toBe(404);
    expect((await add({ s3_uri: base, auto_reindex: 'maybe' })).status).toBe(422);
  });

  it('reject the whole archive and leave the dataset unchanged', async () => {
    const before = await count();
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'broken.tar.gz'), (await readFile(await archiveOf('tar.gz', [80]))).subarray(0, 300));
    await writeFile(join(folder, 'no-archive.zip'), 'hello');
    for (const name of ['broken.tar.gz', 'no-archive.zip']) {
      expect(await addFile('archive', join(folder, name))).toMatchObject({
        status: 400,
        body: { detail: expect.any(String) },
      });
    }
    expect(await count()).toBe(before);
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);
  });

  it('let one operation run at a time, even for simultaneous requests', async () => {
    const folder = await temporaryFolder();
    await writeImages(
      folder,
      Array.from({ length: 60 }, (_, index) => 1000 + index),
    );
    const answers = await Promise.all([add({ s3_uri: folder }), add({ s3_uri: folder })]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([202, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body.detail).toBe(
      "Operation 'add_media' is blocked while MEDIA_ADDITION task is running",
    );
    expect((await api.get<Dataset>(`/dataset/${dataset}`)).body).toMatchObject({
      status_new: 'READ ONLY',
      status: 'UPDATING',
    });
    expect((await api.get(`/explore/${dataset}`)).status).toBe(200);
    await api.waitFor(dataset, 'PARTIAL INDEX');
  });

  it('leave the dataset unchanged when no file of a batch is usable', async () => {
    const before = (await api.get<Dataset>(`/dataset/${dataset}`)).body;
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.jpg'), 'no image');
    expect((await add({ s3_uri: folder })).status).toBe(202);
    const { body } = await until(
      () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=MEDIA_ADDITION`),
      (answer) => answer.body.tasks[0]?.status === 'FAILED',
    );
    expect(body.tasks[0]?.error_message).toContain('could not be read');
    const after = (await api.get<Dataset>(`/dataset/${dataset}`)).body;
    expect(after).toMatchObject({ status_new: before.status_new, n_images: before.n_images });
  });

  it.each(['txt', 'parquet'])('report why each entry of a %s list in object storage was refused', async (format) => {
    const before = (await api.get<Dataset>(`/dataset/${dataset}`)).body;
    const entries = [`s3://photos/not there ${format}.jpg`, `gone-${format}.png`, `s3://photos/notes-${format}.doc`];
    const content =
      format === 'txt'
        ? entries.join('\n')
        : Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'uri', data: entries, type: 'STRING' }] }));
    await s3.put('lists', `refused.${format}`, content);
    expect((await add({ s3_uri: `s3://lists/refused.${format}` })).status).toBe(202);
    const { body } = await until(
      () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=MEDIA_ADDITION`),
      (answer) => answer.body.tasks[0]?.status === 'FAILED',
    );
    expect(body.tasks[0]?.error_message).toContain('None of the 3 new files could be read: 3 unreadable.');
    const after = (await api.get<Dataset>(`/dataset/${dataset}`)).body;
    expect(after).toMatchObject({
      status_new: before.status_new,
      n_images: before.n_images,
      n_file_errors: before.n_file_errors + 3,
    });
    const list = await api.get<{ batches: { batch_id: string; n_failed: number }[] }>(`/dataset/${dataset}/batches`);
    const { batch_id } = list.body.batches[0] ?? {};
    const found = await api.get<{ file_errors: { reason: string }[] }>(
      `/dataset/${dataset}/file_errors?batch_id=${batch_id}`,
    );
    expect(found.body.file_errors).toHaveLength(3);
    for (const { reason } of found.body.file_errors) expect(reason).toMatch(/not exist|not there|no longer|gone/i);
  });

  it('follow when the feature is off', async () => {
    const environment = { VITRINE_ADD_MEDIA_ENABLED: 'false' };
    const { api: there } = await openData(await temporaryFolder(), { environment });
    const id = await there.createFromFolder('cannot grow', base);
    await there.waitFor(id, 'READY');
    const answer = await there.post(`/dataset/${id}/add_media`, { s3_uri: base });
    expect(answer).toMatchObject({ status: 403, body: { detail: 'Add media feature is not enabled' } });
  });
});
