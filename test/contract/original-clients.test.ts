import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

let api: Api;
let dataset: string;

beforeAll(async () => {
  ({ api } = await startTestApi({ finished: atEnd, environment: { RUN_MODE: 'ONPREM' } }));
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2]);
  dataset = await api.createFromFolder('original', folder);
  await api.waitFor(dataset, 'READY');
});

describe('an address in public documentation of the original service', () => {
  it('is answered for user management', async () => {
    const [asOurs, asOriginal] = await Promise.all([
      api.get('/idp/admin/users?max_results=5'),
      api.get('/keycloak/admin/users?max_results=5'),
    ]);
    expect(asOriginal).toMatchObject({ status: asOurs.status, body: asOurs.body });
  });

  it('gets and sets settings under its prefix', async () => {
    const set = await api.call('POST', '/admin/settings', json({ key: 'VL_CHAT_ENABLED', value: true }));
    expect(set).toMatchObject({ status: 200, body: { value: 'true' } });
    expect((await api.get('/admin/settings?key=SVC_CHAT_ENABLED')).body).toEqual({ value: 'true' });
    expect((await api.get('/admin/settings?key=VL_NOTHING')).status).toBe(400);
  });
});

it('downloads an export by its absolute and its relative address', async () => {
  const { body } = await api.get<{ id: string }>(`/dataset/${dataset}/export_context_async?export_format=json`);
  const finished = await until(
    async () =>
      (
        await api.get<{ status: string; download_uri: string }>(
          `/dataset/${dataset}/export_status?export_task_id=${body.id}`,
        )
      ).body,
    ({ status }) => status === 'COMPLETED',
  );
  const relative = finished.download_uri.replace(api.baseUrl, '');
  const addresses = [
    finished.download_uri,
    `${api.baseUrl}${relative}`,
    `${api.baseUrl}/${finished.download_uri}`,
    `${api.baseUrl}/api/v1/${finished.download_uri}`,
  ];
  for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  expect((await fetch(`${api.baseUrl}/http://elsewhere.example/`)).status).toBe(404);
});

describe('a model id of the original service', () => {
  it('is refused with a list of installable models when none of its type is installed', async () => {
    const requested = { enrichment_models: { CAPTION_IMAGES: 'vl_image_captioner_v00' } };
    const refused = await api.call('POST', `/dataset/${dataset}/enrich_dataset`, json(requested));
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/CAPTION_IMAGES.*Install/) } });
  });
});
