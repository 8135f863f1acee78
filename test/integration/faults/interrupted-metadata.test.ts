import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MetadataStatus } from '../../../src-main/contract/schemas/custom-metadata.ts';
import type { ItemPage } from '../../../src-main/contract/schemas/facets.ts';
import { type Api, json, until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const N_BAD = 25_000;

it('a killed import resumes, with every value and every error once', async () => {
  const [data, images] = [await temporaryFolder(), await temporaryFolder()];
  await writeImages(images, [1, 2, 3]);
  const post = (api: Api, path: string, body: unknown) => api.call<{ task_id: string }>('POST', path, json(body));
  const first = await openData(data);
  const id = await first.api.createFromFolder('described', images, { encoder: 'none' });
  await first.api.waitFor(id, 'READY');
  await first.api.atRest();
  const { items } = (await first.api.get<ItemPage>(`/explore/${id}/items`)).body;
  const tasks = `/datasets/${id}/custom_metadata/tasks`;
  const { task_id } = (await post(first.api, tasks, { field_name: 'score', field_type: 'float' })).body;
  await first.close();

  // Pages have 10,000 rows. The first page is saved, the second is not.
  const second = await serve(data, killedBefore(/UPDATE custom_field SET n_read/, 2));
  noteFault();
  const bad = Array.from({ length: N_BAD }, () => ({ media_id: UNKNOWN, value: 1 }));
  const [one, two, three] = items.map(({ media_id }, at) => ({ media_id, value: at }));
  const rows = [one, ...bad.slice(0, N_BAD / 2), two, ...bad.slice(N_BAD / 2), three];
  await post(second.api, `${tasks}/${task_id}`, rows).catch((error: unknown) =>
    expect(error).toBeInstanceOf(TypeError),
  );
  expect((await second.server.ended).code).toBeNull();

  const { api } = await openData(data);
  const status = await until(
    async () => (await api.get<MetadataStatus>(`${tasks}/${task_id}/status`)).body,
    (answer) => answer.status.startsWith('COMPLETED'),
  );
  expect(status).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', inserted_rows: 3, error_count: N_BAD });
  const vql = encodeURIComponent(JSON.stringify([{ metadata: { field: 'score', op: 'range', from: 0 } }]));
  expect((await api.get<ItemPage>(`/explore/${id}/items?vql=${vql}`)).body.total).toBe(3);
  await until(async () => (await readdir(join(data, 'datasets', id, 'imports'))).length === 0);
});
