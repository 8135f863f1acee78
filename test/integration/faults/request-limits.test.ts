import { beforeAll, expect, it } from 'vitest';
import { Api } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { image } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let api: Api;

beforeAll(async () => {
  const server = await startServer(await temporaryFolder(atEnd));
  api = new Api(server.baseUrl);
  atEnd(() => server.stop().then(() => undefined));
});

const refused = { status: 413, body: { detail: expect.any(String) } };

it('refuses JSON and urlencoded bodies of megabytes, whatever they contain', async () => {
  const bodies = ['['.repeat(60_000_000), JSON.stringify({ dataset_name: 'x'.repeat(3_000_000) })];
  for (const body of bodies) {
    expect(await api.call('POST', '/dataset', { body, headers: { 'content-type': 'application/json' } })).toMatchObject(
      refused,
    );
  }
  const body = new URLSearchParams({ dataset_name: 'x'.repeat(3_000_000) });
  expect(await api.call('POST', '/dataset', { body })).toMatchObject(refused);
});

it('refuses tens of kilobytes of JSON when names are expected, and accepts lists of that size', async () => {
  const send = (path: string, body: object) =>
    api.call('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const { body } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=lists');
  const ids = Array.from({ length: 3000 }, () => body.dataset_id);
  expect(await send('/login', { username: 'x'.repeat(100_000), password: '' })).toMatchObject(refused);
  expect(await send(`/dataset/${body.dataset_id}/tags`, { name: 'x', ids })).toMatchObject(refused);
  const mediaSelection = [{ type: 'media', payload: { media_ids: ids } }];
  expect((await send(`/dataset/${body.dataset_id}/exclude`, { media_selection: mediaSelection })).status).not.toBe(413);
});

it('refuses form fields that are large alone or together, and accepts files with small fields', async () => {
  const one = new FormData();
  one.append('dataset_name', 'x'.repeat(2_000_000));
  expect(await api.call('POST', '/dataset', { body: one })).toMatchObject(refused);
  const many = new FormData();
  for (let at = 0; at < 100; at += 1) many.append(`field_${at}`, 'x'.repeat(100_000));
  expect(await api.call('POST', '/dataset', { body: many })).toMatchObject(refused);

  const { body } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=large');
  const { body: open } = await api.get<{ trans_id: number }>(`/ingestion/${body.dataset_id}/data_files`);
  const upload = new FormData();
  upload.append('note', 'x'.repeat(100_000));
  const bytes = Buffer.concat([await image(1), Buffer.alloc(5_000_000)]);
  upload.append('files', new Blob([new Uint8Array(bytes)]), 'a.jpg');
  const path = `/ingestion/${body.dataset_id}/data_files/${open.trans_id}`;
  expect(await api.call('POST', path, { body: upload })).toMatchObject({ status: 202, body: { accepted: 1 } });
});
