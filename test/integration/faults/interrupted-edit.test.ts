import { expect, it } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ItemPage } from '../../../src-main/contract/schemas/facets.ts';
import { json, until } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { killedBefore } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

it('a dataset counts without excluded items, even if the server was killed before counting', async () => {
  const [data, images] = [await temporaryFolder(), await temporaryFolder()];
  await writeImages(images, [1, 2, 3, 4]);
  const first = await openData(data);
  const id = await first.api.createFromFolder('edited', images, { encoder: 'none' });
  await first.api.waitFor(id, 'READY');
  await first.api.atRest();
  const listed = await first.api.get<ItemPage>(`/explore/${id}/items?page_size=2`);
  await first.close();

  const second = await serve(data, killedBefore(/UPDATE dataset SET n_images/));
  noteFault();
  const selection = [{ type: 'media', payload: { media_ids: listed.body.items.map(({ media_id }) => media_id) } }];
  await second.api
    .call('POST', `/dataset/${id}/exclude`, json({ media_selection: selection }))
    .catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  expect((await second.server.ended).code).toBeNull();

  const { api } = await openData(data);
  expect(await api.get<ItemPage>(`/explore/${id}/items`)).toMatchObject({ status: 200, body: { total: 2 } });
  const counted = await until(
    async () => (await api.get<Dataset>(`/dataset/${id}`)).body,
    ({ n_images }) => n_images === 2,
  );
  expect(counted).toMatchObject({ n_images: 2, status_new: 'READY' });
  expect((await api.get('/recovery')).body).toEqual({ events: [], n_new: 0 });
});
