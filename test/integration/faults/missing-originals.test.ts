import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { ExploreResult } from '../../../src-main/contract/schemas/explore.ts';
import type { RecoveryEvent } from '../../../src-main/contract/schemas/recovery.ts';
import { until } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { check } from '../../support/check-data.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';

const SEEDS = [1, 2, 3, 4];
let sound: string;
let id: string;

beforeAll(async () => {
  const files = await writeImages(await temporaryFolder(atEnd), SEEDS);
  sound = await temporaryFolder(atEnd);
  const { api, close } = await openData(sound, { finished: atEnd });
  const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=uploaded');
  id = draft.dataset_id;
  const { body: opened } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
  await api.upload(id, opened.trans_id, files);
  await api.post(`/ingestion/${id}/process_files/${opened.trans_id}`);
  await api.waitFor(id, 'READY');
  await close();
});

it('a missing upload is reported at start and by a check; its item keeps its thumbnail and vectors', async () => {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  const [batch = ''] = await readdir(join(data, 'media'));
  const [room = ''] = await readdir(join(data, 'media', batch));
  noteFault();
  await rm(join(data, 'media', batch, room), { recursive: true });
  const { api } = await openData(data);
  const told = async () => (await api.get<{ events: RecoveryEvent[] }>('/recovery')).body.events;
  const [event] = await until(told, (events) => events.length > 0);
  expect(event).toMatchObject({ kind: 'damaged', dataset_id: id });
  expect(event?.detail).toMatch(/^1 of its originals is missing \(image-0000\d\.jpg\); restore .* from a backup$/);

  const { damaged } = await check(api);
  expect(damaged).toEqual([
    { dataset_id: id, name: 'uploaded', problems: [event?.detail], findings: [event?.finding] },
  ]);
  expect(await told(), 'it is told once').toHaveLength(1);
  expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'READY', n_images: SEEDS.length });
  const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0`);
  const items = body.clusters.flatMap(({ previews }) => previews);
  expect(items).toHaveLength(SEEDS.length);
  for (const { media_thumb_uri } of items) expect((await fetch(media_thumb_uri)).status).toBe(200);
  const gone = items.find(({ file_name }) => event?.detail.includes(file_name));
  const { body: near } = await api.get<ExploreResult>(
    `/explore/${id}?threshold=0&anchor_type=MEDIA&anchor_media_id=${gone?.media_id}`,
  );
  expect(near.clusters.flatMap(({ previews }) => previews)).toHaveLength(SEEDS.length);
});
