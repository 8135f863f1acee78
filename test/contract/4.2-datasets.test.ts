import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Dataset, dataset as datasetSchema } from '../../src-main/contract/schemas/dataset.ts';
import { exploreResult } from '../../src-main/contract/schemas/explore.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { needs, posix } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const NO_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: '',
  AWS_SECRET_ACCESS_KEY: '',
  AWS_PROFILE: '',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
};

let api: Api;
let close: () => Promise<void>;
let data: string;
let photos: string;

beforeAll(async () => {
  data = await temporaryFolder(atEnd);
  photos = await temporaryFolder(atEnd);
  await writeImages(photos, [1, 2, 3, 4, 5, 6]);
  for (const [name, value] of Object.entries(NO_CREDENTIALS)) vi.stubEnv(name, value);
  ({ api, close } = await openData(data, { finished: atEnd }));
});

describe('creation from a folder', () => {
  it('reaches READY, keeps the files in place and lists the dataset with every field', async () => {
    const { status, body } = await api.post<{ id: string; dataset_id: string }>('/dataset', {
      dataset_name: 'from folder',
      bucket_path: photos,
      vl_dataset_id: '',
      config_url: '',
    });
    expect(status).toBe(200);
    expect(body.id).toBe(body.dataset_id);
    expect((await api.get(`/dataset/${body.id}`)).status).toBe(200);
    const ready = await api.waitFor(body.id, 'READY');
    expect(datasetSchema.parse(ready)).toMatchObject({
      status: 'READY',
      source_type: 'FOLDER',
      n_images: 6,
      progress: 100,
      n_file_errors: 0,
    });
    expect(await readdir(photos)).toHaveLength(6);
    const counted = await until(
      async () => (await api.get<Dataset>(`/dataset/${body.id}`)).body,
      ({ disk_bytes }) => disk_bytes !== null,
    );
    expect(counted.disk_bytes).toBeGreaterThan(10_000);
    expect(counted.n_frames).toBe(0);
    const listed = await api.get<{ id: string }[]>('/datasets');
    expect(listed.body.map((item) => item.id)).toContain(body.id);
    expect((await api.get(`/datasets/${body.id}/creation-status`)).body).toEqual({ status: 'READY', progress: 100 });
  });

  it('accepts a file:// address, urlencoded fields and the self-hosted pipeline call', async () => {
    const urlencoded = await api.call<{ dataset_id: string }>('POST', '/dataset', {
      body: new URLSearchParams({ dataset_name: 'by url', bucket_path: pathToFileURL(photos).href }),
    });
    expect(urlencoded.status).toBe(200);
    const processed = await api.get(`/process?path=${encodeURIComponent(photos)}&name=pipeline`);
    expect(processed.body).toMatchObject({ status: 'success', name: 'pipeline' });
    await api.waitFor(urlencoded.body.dataset_id, 'READY');
    await api.waitFor(String(processed.body.dataset_id), 'READY');
  });

  it('survives links that loop, hidden entries and any name', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'ünï 日本 🙂'), { recursive: true });
    await mkdir(join(folder, '.hidden'));
    await writeFile(join(folder, 'ünï 日本 🙂', "it's 100% #1?.jpg"), await image(1));
    await writeFile(join(folder, '.hidden', 'no.jpg'), await image(2));
    await writeFile(join(folder, 'notes.txt'), 'not an image');
    await symlink(folder, join(folder, 'loop'));
    const id = await api.createFromFolder('odd names', folder);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, n_file_errors: 0 });
    const { body } = await api.get<{ clusters: { previews: { file_name: string }[] }[] }>(
      `/explore/${id}?entity_type=IMAGES`,
    );
    expect(body.clusters[0]?.previews[0]?.file_name).toBe("it's 100% #1?.jpg");
  });

  it('opens a folder whose name ends in a space, and one typed with a space too many', needs(posix), async () => {
    const root = await temporaryFolder();
    const spaced = join(root, 'photos ');
    await mkdir(spaced);
    await mkdir(join(root, 'plain'));
    await writeImages(spaced, [1]);
    await writeImages(join(root, 'plain'), [2]);
    for (const path of [spaced, `  ${join(root, 'plain')} `]) {
      const id = await api.createFromFolder('spaces', path);
      await api.waitFor(id, 'READY');
    }
    const listed = await api.get<{ path: string; n_media: number }>(
      `/local_folders?path=${encodeURIComponent(spaced)}`,
    );
    expect(listed.body).toMatchObject({ path: spaced, n_media: 1 });
  });

  it('lists a corrupt file with its reason and continues', async () => {
    const folder = await temporaryFolder();
    await writeImages(folder, [1, 2]);
    await writeFile(join(folder, 'broken.jpg'), (await image(3)).subarray(0, 500));
    await writeFile(join(folder, 'empty.png'), '');
    const id = await api.createFromFolder('with errors', folder);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 2, n_file_errors: 2 });
    const { body } = await api.get<{
      file_errors: { file_name: string; kind: string; reason: string }[];
      total: number;
    }>(`/dataset/${id}/file_errors?page_size=1&page_number=1`);
    expect(body.total).toBe(2);
    expect(body.file_errors).toHaveLength(1);
    expect(body.file_errors[0]).toMatchObject({ file_name: 'empty.png', kind: 'empty' });
    expect(JSON.stringify(body)).not.toContain(folder);
  });

  it('ends in ERROR with a message when no file can be read, and can be retried', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a.jpg'), 'no image');
    const id = await api.createFromFolder('unreadable', folder);
    await expect(api.waitFor(id, 'READY')).rejects.toThrow(/could not be read/);
    const { body: failed } = await api.get(`/dataset/${id}`);
    expect(failed).toMatchObject({ status_new: 'ERROR', status: 'FATAL_ERROR' });
    const { body: list } = await api.get<{ tasks: { task_id: string; status: string }[] }>(`/tasks?dataset_id=${id}`);
    expect(list.tasks[0]?.status).toBe('FAILED');

    await writeFile(join(folder, 'a.jpg'), await image(9));
    const retried = await api.post(`/tasks/${list.tasks[0]?.task_id}/retry`);
    expect(retried.body.status).toBe('INITIALIZING');
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, fatal_error_msg: null });
  });

  it.each([
    ['a missing folder', () => join(photos, 'nowhere'), 400, /does not exist/],
    ['a file', () => join(photos, 'image-00001.jpg'), 400, /is a file/],
    ['a relative path', () => './photos', 400, /absolute/],
    ['an invalid file:// address', () => 'file://host/%zz', 400, /not valid/],
  ])('refuses %s', async (_name, path, status, detail) => {
    const answer = await api.post('/dataset', { dataset_name: 'refused', bucket_path: path() });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      status: 'error',
      detail: expect.stringMatching(detail),
      message: expect.stringMatching(detail),
    });
    expect(answer.text).not.toContain(photos);
    expect(
      (await api.get<{ display_name: string }[]>('/datasets')).body.map((item) => item.display_name),
    ).not.toContain('refused');
  });

  it('accepts a name that another dataset has', async () => {
    const ids = [await api.createFromFolder('twice', photos), await api.createFromFolder('twice', photos)];
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=twice');
    const { body } = await api.get<{ id: string; display_name: string }[]>('/datasets');
    const named = body.filter((item) => item.display_name === 'twice').map((item) => item.id);
    expect(named.toSorted()).toEqual([...ids, draft.dataset_id].toSorted());
  });

  it('needs a path, or the name of an archive to be uploaded', async () => {
    const neither = await api.post('/dataset', { dataset_name: 'neither' });
    const expected = 'bucket_path: is required';
    expect(neither).toMatchObject({ status: 422, body: { status: 'error', message: expected, detail: expected } });
    const follows = await api.post('/dataset', { dataset_name: 'follows', uploaded_filename: 'images.zip' });
    expect(follows).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await api.get(`/dataset/${follows.body.dataset_id}`)).body).toMatchObject({ status_new: 'DRAFT' });
  });

  it.each([
    ['application/json', '{"dataset_name":'],
    ['application/json', '[]'],
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="dataset_name"\r\n\r\nhalf'],
  ])('reports a malformed body in the format of creation (%s)', async (contentType, body) => {
    const answer = await api.call('POST', '/dataset', { headers: { 'Content-Type': contentType }, body });
    expect(answer).toMatchObject({
      status: 422,
      body: { status: 'error', message: expect.any(String), detail: answer.body.message },
    });
  });

  it('reports a bad location for anything but a path or bucket when there are no credentials', async () => {
    const { status, body } = await api.post('/dataset', { dataset_name: 'nowhere', bucket_path: 'photos' });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^Invalid S3 URI or no media files found.*absolute path$/);
  });

  it('refuses an empty folder and a missing name', async () => {
    const empty = await temporaryFolder();
    expect(await api.post('/dataset', { dataset_name: 'empty', bucket_path: empty })).toMatchObject({
      status: 400,
      body: { detail: 'No media files were found in the folder' },
    });
    expect(await api.post('/dataset', { bucket_path: photos })).toMatchObject({
      status: 422,
      body: { detail: 'dataset_name: is required' },
    });
  });
});

describe('uploads', () => {
  it('index files of several simultaneous requests, repeated files and files in folders', async () => {
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=uploads');
    const id = draft.dataset_id;
    const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
    expect(Number.isInteger(transaction.trans_id)).toBe(true);
    const files = (await readdir(photos)).map((name) => join(photos, name));
    const answers = await Promise.all([
      api.upload(id, transaction.trans_id, files.slice(0, 3)),
      api.upload(id, transaction.trans_id, files.slice(2)),
      api.upload(id, transaction.trans_id, files.slice(0, 3)),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({
      status_new: 'DRAFT',
      status: 'UPLOADING',
      source_type: 'UPLOAD',
    });
    expect((await api.post(`/ingestion/${id}/process_files/${transaction.trans_id}`)).status).toBe(202);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 6 });
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);

    const late = await api.upload(id, transaction.trans_id, files.slice(0, 1));
    expect(late).toMatchObject({ status: 409 });
  });

  it('refuses a wrong field, unknown transactions, processing nothing and a request without files', async () => {
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=refusals');
    const id = draft.dataset_id;
    const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
    const file = join(photos, 'image-00001.jpg');
    const wrong = await api.upload(id, transaction.trans_id, [file], 'files[]');
    expect(wrong).toMatchObject({ status: 422, body: { detail: expect.stringContaining('use "files"') } });
    expect(await api.upload(id, 999_999, [file])).toMatchObject({
      status: 404,
      body: { detail: 'Transaction not found' },
    });
    expect(await api.post(`/ingestion/${id}/data_files/${transaction.trans_id}`, {})).toMatchObject({ status: 422 });
    expect(await api.post(`/ingestion/${id}/process_files/${transaction.trans_id}`)).toMatchObject({ status: 400 });
    expect(await api.get(`/ingestion/${UNKNOWN}/data_files`)).toMatchObject({ status: 404 });
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);
  });

  it('refuse an invalid form, and one that ends early', async () => {
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=malformed');
    const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
    const send = (contentType: string, body: string) =>
      api.call('POST', `/ingestion/${draft.dataset_id}/data_files/${transaction.trans_id}`, {
        headers: { 'Content-Type': contentType },
        body,
      });
    const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.jpg"\r\n';
    const malformed = { status: 422, body: { detail: expect.stringMatching(/^The form cannot be read/) } };
    expect(await send('multipart/form-data', 'anything')).toMatchObject(malformed);
    expect(await send('multipart/form-data; boundary=x', part)).toMatchObject(malformed);
    expect(await send('multipart/form-data; boundary=x', `${part}\r\nthe first bytes of it`)).toMatchObject(malformed);
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);
  });

  it('leave nothing behind when the client disconnects', async () => {
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=broken');
    const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
    const head = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.jpg"\r\n\r\n';
    const upload = request(`${api.baseUrl}/api/v1/ingestion/${draft.dataset_id}/data_files/${transaction.trans_id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': '1000000' },
    });
    const broken = new Promise((resolve) => upload.once('error', resolve));
    upload.write(head + 'x'.repeat(100_000));
    await expect.poll(() => readdir(join(data, 'temporary'))).toHaveLength(1);
    upload.destroy();
    await broken;
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);
  });
});

describe('reading', () => {
  it('answers 404 for unknown ids and 422 for malformed ones', async () => {
    for (const path of [
      `/dataset/${UNKNOWN}`,
      `/datasets/${UNKNOWN}/creation-status`,
      `/explore/${UNKNOWN}`,
      `/dataset/${UNKNOWN}/file_errors`,
    ]) {
      expect(await api.get(path)).toMatchObject({ status: 404, body: { detail: 'Dataset not found' } });
    }
    expect(await api.get('/dataset/not-an-id')).toMatchObject({
      status: 422,
      body: { detail: 'dataset_id: must be a UUID' },
    });
    expect(await api.get(`/image/${UNKNOWN}`)).toMatchObject({ status: 404, body: { detail: 'Image not found' } });
  });

  it('returns the granularity at which the clusters match the true groups', async () => {
    const folder = await temporaryFolder(atEnd);
    for (const seed of [1, 2, 3])
      for (const width of [320, 300, 280, 260, 240])
        await writeFile(join(folder, `${seed}-${width}.jpg`), await image(seed, width, (width * 3) / 4));
    const id = await api.createFromFolder('grouped', folder);
    await api.waitFor(id, 'READY');
    const { body } = await api.get<{ levels: { n_clusters: number }[]; default_threshold: number }>(
      `/explore/${id}/levels`,
    );
    // All levels have the same three clusters; the finest of equal levels is the default.
    expect(body.levels.map(({ n_clusters }) => n_clusters)).toEqual([3, 3, 3, 3, 3]);
    expect(body.default_threshold).toBe(0);
  });

  it('explores by cluster and by anchor, and serves bytes by signed URL', async () => {
    const id = await api.createFromFolder('explored', photos);
    await api.waitFor(id, 'READY');
    const explored = await api.get(`/explore/${id}?entity_type=IMAGES&threshold=0`);
    const { clusters, metadata } = exploreResult.parse(explored.body);
    expect(metadata.total_items).toBe(6);
    expect(metadata.total_singles).toBeLessThanOrEqual(metadata.total_clusters);
    expect(clusters.reduce((sum, cluster) => sum + cluster.n_images, 0)).toBe(6);
    expect(clusters[0]).toMatchObject({ relevance_score: null, relevance_score_type: 'cosine_distance' });
    const blank = await api.get(`/explore/${id}?entity_type=&threshold=&page_number=&labels=&vql=`);
    expect(blank.body).toEqual((await api.get(`/explore/${id}`)).body);
    const levelsOf = async (type: string) =>
      (await api.get<{ levels: object[] }>(`/explore/${id}/levels?entity_type=${type}`)).body;
    const { levels } = await levelsOf('IMAGES');
    expect(await levelsOf('OBJECTS')).toEqual({ levels: [], default_threshold: 2 });
    expect(levels).toHaveLength(5);
    const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=no%20levels');
    expect((await api.get(`/explore/${draft.dataset_id}/levels`)).body).toEqual({ levels: [], default_threshold: 2 });
    const nSingles = clusters.filter((cluster) => cluster.n_images === 1).length;
    expect(levels[0]).toEqual({ n_items: 6, n_clusters: clusters.length, n_singles: nSingles });
    const first = clusters[0]?.previews[0];
    expect(first).toBeDefined();
    if (!first) return;

    const scored = exploreResult.parse(
      (await api.get(`/explore/${id}?anchor_media_id=${first.media_id}&anchor_type=MEDIA`)).body,
    );
    expect(scored.clusters[0]?.relevance_score).toBe(0);
    expect(scored.clusters[0]?.previews[0]?.media_id).toBe(first.media_id);
    const scores = scored.clusters.map((cluster) => cluster.relevance_score ?? Number.NaN);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));

    const original = await fetch(first.media_uri);
    expect(original.status).toBe(200);
    expect(original.headers.get('content-type')).toBe('image/jpeg');
    const bytes = Buffer.from(await original.arrayBuffer());
    const part = await fetch(first.media_uri, { headers: { Range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    const all = await fetch(first.media_uri, { headers: { Range: 'bytes=-99999999' } });
    expect(all.status).toBe(206);
    expect(all.headers.get('content-range')).toBe(`bytes 0-${bytes.length - 1}/${bytes.length}`);
    expect(Buffer.from(await all.arrayBuffer())).toEqual(bytes);
    const outside = await fetch(first.media_uri, { headers: { Range: `bytes=${bytes.length}-` } });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(await outside.json()).toMatchObject({ detail: expect.any(String) });
    const etag = original.headers.get('etag') ?? '';
    for (const known of [`W/${etag}`, `"another", ${etag}`, '*']) {
      expect((await fetch(first.media_uri, { headers: { 'If-None-Match': known } })).status).toBe(304);
    }
    const again = await fetch(first.media_uri, { headers: { 'If-None-Match': original.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const thumbnail = await fetch(first.media_thumb_uri);
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    expect(Buffer.from(await thumbnail.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
    expect((await fetch(first.media_uri.replace(/signature=.{4}/, 'signature=AAAA'))).status).toBe(403);
    expect((await fetch(first.media_uri.replace(/expires=\d+/, 'expires=1'))).status).toBe(403);

    const item = await api.get(`/dataset/${id}/image/${first.media_id}`);
    expect(item.body).toMatchObject({ media_id: first.media_id, width: 320, height: 240, format: 'jpeg' });
    expect((await api.get(`/image/${first.media_id}`)).body).toEqual(item.body);
  });

  it('keeps cluster ids across restarts, and refuses those of other datasets', async () => {
    const id = await api.createFromFolder('stable', photos);
    const other = await api.createFromFolder('other', photos);
    await api.waitFor(id, 'READY');
    await api.waitFor(other, 'READY');
    const ids = async (datasetId: string) =>
      exploreResult.parse((await api.get(`/explore/${datasetId}`)).body).clusters.map((cluster) => cluster.cluster_id);
    const [clusterId] = await ids(id);
    expect((await api.get(`/explore/${id}/cluster/${clusterId}`)).status).toBe(200);
    expect((await api.get(`/explore/${other}/cluster/${clusterId}`)).status).toBe(404);
    const before = await ids(id);
    await close();
    ({ api, close } = await openData(data, { finished: atEnd }));
    expect(await ids(id)).toEqual(before);
  });
});

describe('deletion', () => {
  it('frees the disk, removes the tasks and keeps the originals', async () => {
    const id = await api.createFromFolder('short-lived', photos);
    await api.waitFor(id, 'READY');
    expect(await readdir(join(data, 'datasets'))).toContain(id);
    expect(
      (await api.call('DELETE', `/dataset/${id}`, { headers: { 'Content-Type': 'application/json' } })).body,
    ).toMatchObject({ deleted: true });
    expect((await api.get(`/dataset/${id}`)).status).toBe(404);
    await until(async () => !(await readdir(join(data, 'datasets'))).includes(id));
    expect((await api.get<{ total: number }>(`/tasks?dataset_id=${id}`)).body.total).toBe(0);
    expect(await readdir(photos)).toHaveLength(6);
  });

  it('removes uploaded originals too', async () => {
    const { body } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=upload%20to%20delete');
    const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${body.dataset_id}/data_files`);
    await api.upload(body.dataset_id, transaction.trans_id, [join(photos, 'image-00001.jpg')]);
    const before = await readdir(join(data, 'media'));
    await api.call('DELETE', `/dataset/${body.dataset_id}`);
    expect(await readdir(join(data, 'media'))).toHaveLength(before.length - 1);
  });
});

describe('the sample', () => {
  it('is drawn and indexed with labels, boxes and predictions, and gets a free name', async () => {
    const draw = () =>
      api.call<{ dataset_id: string; name: string }>('POST', '/datasets/sample_data', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ dataset_name: 'A look around' }),
      });
    const first = await draw();
    expect(first).toMatchObject({ status: 202, body: { name: 'A look around' } });
    const ready = await api.waitFor(first.body.dataset_id, 'READY');
    expect(ready).toMatchObject({ n_images: 77, n_file_errors: 0, source_type: 'UPLOAD' });
    expect(ready.n_objects).toBeGreaterThan(500);
    const { body } = await api.get<{ labels: { name: string }[] }>(`/explore/${first.body.dataset_id}/facets`);
    expect(body.labels.map(({ name }) => name).toSorted()).toEqual(['beach', 'city', 'forest', 'night']);
    expect((await api.call('DELETE', `/dataset/${first.body.dataset_id}`)).status).toBe(200);
  });
});
