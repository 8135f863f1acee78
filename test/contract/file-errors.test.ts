import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FileError } from '../../src-main/contract/schemas/dataset.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { picture, writePictures } from '../support/pictures.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let api: Api;

beforeAll(async () => {
  const server = await startServer(await temporaryFolder(atEnd));
  api = new Api(server.base_url);
  atEnd(() => server.stop().then(() => undefined));
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

describe('uploads that are no media', () => {
  it('are file errors of a new dataset, each once however often it is sent', async () => {
    const { id, uploads, process } = await draft('notes');
    for (let time = 0; time < 2; time += 1) {
      const body = await formOf({ 'a.jpg': await picture(1), 'deep/notes.txt': 'words', 'table.xlsx': 'rows' });
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
        { file_path: 'table.xlsx', kind: 'unsupported', reason: expect.stringContaining('known format') },
      ],
    });
  });

  it('make no dataset by themselves', async () => {
    const { id, uploads, process } = await draft('only notes');
    await api.call('POST', uploads, { body: await formOf({ 'notes.txt': 'words' }) });
    expect(await api.post(process)).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    await api.call('POST', uploads, { body: await formOf({ 'a.jpg': await picture(2) }) });
    expect((await api.post(process)).status).toBe(202);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 1, n_file_errors: 1 });
  });

  it('are file errors of the batch that added them', async () => {
    const folder = await temporaryFolder();
    await writePictures(folder, [3, 4]);
    await writeFile(join(folder, 'broken.jpg'), 'not a picture');
    const id = await api.createFromFolder('later notes', folder);
    await api.waitFor(id, 'READY');
    expect((await api.get(`/dataset/${id}/stats`)).body).toMatchObject({ n_images: 2, n_ungrouped: 0 });
    const add = async (files: Record<string, Buffer | string>) =>
      api.call('POST', `/dataset/${id}/add_media`, { body: await formOf(files) });
    expect((await add({ 'b.jpg': await picture(5), 'notes.txt': 'words' })).status).toBe(202);
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
