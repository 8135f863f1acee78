import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/api.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../support/test-core.ts';
import { tinyPng } from '../support/tiny-png.ts';

const [IMAGES, ADDED] = [230, 90];

async function images(count: number, firstSeed: number): Promise<string> {
  const folder = await temporaryFolder();
  for (let at = 0; at < count; at += 1) await writeFile(join(folder, `${firstSeed + at}.png`), tinyPng(firstSeed + at));
  return folder;
}

const statusOf = async (core: TestCore, id: string) => (await core.call('get_dataset', { dataset_id: id })).status_new;

it('keeps pages of clusters while media are added, and lists every cluster once after indexing', async () => {
  const core = await createTestCore();
  const { dataset_id: id } = await core.call('process_path', { path: await images(IMAGES, 0), name: 'd' });
  await until(
    () => statusOf(core, id),
    (status) => status === 'READY',
  );
  const page = async (number: number) => {
    const { clusters } = await core.call('explore', { dataset_id: id, page_number: String(number) });
    return clusters.map(({ cluster_id, previews }) => [cluster_id, ...previews.map(({ media_id }) => media_id)]);
  };
  const first = await page(0);
  const others = [await page(1), await page(2)];
  const mediaOf = (clusters: string[][]) => clusters.flatMap(([, ...media]) => media);
  expect(new Set(mediaOf([first, ...others].flat())).size).toBe(IMAGES);

  // All images except the last one are saved when the pages are requested again.
  let letGo: () => void = () => undefined;
  let nDescribed = 0;
  const held = new Promise<void>((begun) => {
    core.compute.beforeImage = () => {
      nDescribed += 1;
      if (nDescribed < ADDED) return undefined;
      begun();
      return new Promise((resolve) => {
        letGo = resolve;
      });
    };
  });
  await core.call('add_media', { dataset_id: id, s3_uri: await images(ADDED, 1000) });
  await held;
  expect([await page(1), await page(2)]).toEqual(others);
  expect(await page(0)).toEqual(first);
  letGo();
  await until(
    () => statusOf(core, id),
    (status) => status === 'PARTIAL INDEX',
  );
  const after = [await page(0), await page(1), await page(2), await page(3)].flat();
  const items = mediaOf(after);
  expect(new Set(items).size).toBe(IMAGES + ADDED);
  expect(items).toHaveLength(IMAGES + ADDED);
  // Previous clusters still exist with the same ids.
  const ids = new Set(after.map(([clusterId]) => clusterId));
  expect([first, ...others].flat().filter(([clusterId]) => !ids.has(clusterId))).toEqual([]);
});
