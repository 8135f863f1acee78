import { expect } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { type Api, until } from '../api.ts';
import { expectSameBytes } from '../fault-count.ts';
import { type KnownDataset, sureNames } from './ledger.ts';
import type { World } from './operations.ts';

const SETTLE_MS = 90_000;
/** Share of the previously existing items whose bytes are checked after each kill. */
const LOOKED_AT = 0.2;

const isOpen = ({ end_time }: Task) => end_time === null;

export async function openTasks(api: Api): Promise<Task[]> {
  const { body } = await api.get<{ tasks: Task[] }>('/tasks?page_size=50&with_service=true');
  return body.tasks.filter(isOpen);
}

/** Waits until no task runs, all watched folders have been scanned, and all their files are shown. */
export async function settled(world: World): Promise<void> {
  const { api, ledger } = world;
  await until(
    () => openTasks(api),
    (tasks) => tasks.length === 0,
    SETTLE_MS,
  );
  for (const dataset of ledger.datasets) {
    if (!dataset.watched) continue;
    const expected = (items: Preview[]) =>
      [...(dataset.watched?.names ?? [])].every((name) => items.some((item) => item.file_name === name));
    await until(() => itemsOf(api, dataset.id), expected, SETTLE_MS);
  }
  await until(
    () => openTasks(api),
    (tasks) => tasks.length === 0,
    SETTLE_MS,
  );
}

async function itemsOf(api: Api, id: string, vql: unknown[] = []): Promise<Preview[]> {
  const query = new URLSearchParams({ page_size: '500', vql: JSON.stringify(vql) });
  const { body } = await api.get<{ items: Preview[] }>(`/explore/${id}/items?${query}`);
  return body.items;
}

const sorted = (names: Iterable<string>) => [...names].toSorted();

/**
 * Asserts that all datasets exist with all their items and that nothing is duplicated. A change that may have happened must have happened
 * wholly or not at all.
 */
export async function checkDatasets(world: World): Promise<void> {
  const { api, ledger } = world;
  const { body: rows } = await api.get<Dataset[]>('/datasets');
  await takeUnanswered(world, rows);
  for (const dataset of [...ledger.datasets]) {
    const row = rows.find(({ id }) => id === dataset.id);
    if (dataset.deletion === 'sure') expect(row, 'a deleted dataset is there again').toBeUndefined();
    if (dataset.deletion && !row) {
      ledger.datasets.splice(ledger.datasets.indexOf(dataset), 1);
      continue;
    }
    delete dataset.deletion;
    expect(row?.fatal_error_msg ?? null, `dataset ${dataset.id}`).toBeNull();
    expect(['READY', 'PARTIAL INDEX'], `dataset ${dataset.id}`).toContain(row?.status_new);
    await checkItems(world, dataset);
    await checkEdits(api, dataset);
    // After a start, each dataset is scanned and counted.
    const counted = await until(
      async () => (await api.get<{ n_images: number; n_file_errors: number }>(`/dataset/${dataset.id}`)).body,
      ({ n_images }) => n_images === sureNames(dataset).length - dataset.excluded.size,
    );
    expect(counted).toMatchObject({ n_images: sureNames(dataset).length - dataset.excluded.size, n_file_errors: 0 });
    await checkBatches(api, dataset.id);
  }
  expect(sorted(rows.map(({ id }) => id))).toEqual(sorted(ledger.datasets.map(({ id }) => id)));
}

/**
 * Handles creations that were never answered: the dataset must exist complete, exist as an empty draft (which is deleted here), or not
 * exist.
 */
async function takeUnanswered({ api, ledger }: World, rows: Dataset[]): Promise<void> {
  for (const [name, dataset] of ledger.unanswered) {
    const known = new Set(ledger.datasets.map(({ id }) => id));
    const [row, ...others] = rows.filter(({ id, display_name }) => display_name === name && !known.has(id));
    expect(others).toEqual([]);
    if (row?.status_new === 'DRAFT') {
      await api.call('DELETE', `/dataset/${row.id}`);
      rows.splice(rows.indexOf(row), 1);
    } else if (row) ledger.datasets.push({ id: row.id, ...dataset });
  }
  ledger.unanswered.clear();
}

async function checkItems({ api, ledger, random }: World, dataset: KnownDataset): Promise<void> {
  const shown = await itemsOf(api, dataset.id);
  const leftOut = await itemsOf(api, dataset.id, [{ excluded: { value: true } }]);
  const items = [...shown, ...leftOut];
  const names = items.map(({ file_name }) => file_name);
  const present = new Set(names);
  expect(sorted(names), 'an item is there twice').toEqual(sorted(present));
  for (const batch of dataset.batches) {
    if (batch.certainty === 'maybe' && batch.names.every((name) => present.has(name))) batch.certainty = 'sure';
  }
  dataset.batches = dataset.batches.filter(({ certainty }) => certainty === 'sure');
  expect(sorted(present), `items of ${dataset.id}`).toEqual(sorted(sureNames(dataset)));

  const nowLeftOut = sorted(leftOut.map(({ file_name }) => file_name));
  const before = sorted(dataset.excluded);
  const withLast = sorted([...dataset.excluded, ...(dataset.leftOut ?? [])]);
  expect([before, withLast], 'items that are left out').toContainEqual(nowLeftOut);
  dataset.excluded = new Set(nowLeftOut);
  delete dataset.leftOut;

  for (const item of items) {
    expect(dataset.mediaIds.get(item.file_name) ?? item.media_id, `the id of ${item.file_name}`).toBe(item.media_id);
    dataset.mediaIds.set(item.file_name, item.media_id);
    const isNew = !dataset.thumbnails.has(item.file_name);
    if (isNew || random() < LOOKED_AT) await checkBytes(dataset, item, ledger.bytes);
  }
}

/** Asserts that an item still has its thumbnail and the bytes of its original. */
async function checkBytes(dataset: KnownDataset, item: Preview, bytes: ReadonlyMap<string, Buffer>): Promise<void> {
  const { file_name } = item;
  const [thumbnail, original] = await Promise.all([fetched(item.media_thumb_uri), fetched(item.media_uri)]);
  expectSameBytes(original, bytes.get(file_name), `the original of ${file_name}`);
  expectSameBytes(thumbnail, dataset.thumbnails.get(file_name) ?? thumbnail, `the thumbnail of ${file_name}`);
  dataset.thumbnails.set(file_name, thumbnail);
}

async function fetched(uri: string): Promise<Buffer> {
  const response = await fetch(uri);
  expect(response.status, uri).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function checkEdits(api: Api, dataset: KnownDataset): Promise<void> {
  const present = new Set(sureNames(dataset).filter((name) => !dataset.excluded.has(name)));
  const here = (names: readonly string[]) => sorted(names.filter((name) => present.has(name)));
  const found = async (vql: unknown) => sorted((await itemsOf(api, dataset.id, [vql])).map((item) => item.file_name));
  expect(await found({ labels: { op: 'is', value: 'beside' } }), 'annotations').toEqual(here(dataset.labelled));
  const made: typeof dataset.edits = [];
  for (const edit of dataset.edits) {
    const names = await found(edit.vql);
    if (edit.certainty === 'maybe' && names.length === 0) continue;
    expect(names, JSON.stringify(edit.vql)).toEqual(here(edit.names));
    made.push({ ...edit, certainty: 'sure' });
  }
  dataset.edits = made;
}

/** Asserts that every batch was read completely, except those of watched folders, whose files may disappear again. */
async function checkBatches(api: Api, id: string): Promise<void> {
  const { body } = await api.get<{ batches: { kind: string; n_files: number; n_done: number }[] }>(
    `/dataset/${id}/batches`,
  );
  for (const { kind, n_files, n_done } of body.batches) {
    if (kind !== 'watch') expect(n_done, 'a batch is left half read').toBe(n_files);
  }
}
