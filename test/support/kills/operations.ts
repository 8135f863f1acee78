import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Tag } from '../../../src-main/contract/schemas/edit.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import { buildTar } from '../../integration/archives/build-archive.ts';
import { type Answer, type Api, json } from '../api.ts';
import { type Batch, type KnownDataset, type Ledger, newDataset, sureNames } from './ledger.ts';

/** The server, ledger and folders that operations use. */
export interface World {
  api: Api;
  ledger: Ledger;
  /** Empty folders for images are created below this folder. */
  folder: string;
  backups: string;
  random: () => number;
}

/**
 * An operation that changes data. It records the possible change in the ledger before the request, and the certain change after the
 * response.
 */
export type Operation = (world: World) => Promise<void>;

const FILES_OF_A_BATCH = 8;
const FILES_OF_A_DATASET = 14;
const MAX_DATASETS = 5;

const isDone = ({ status }: Answer) => status >= 200 && status < 300;

function pick<T>(of: readonly T[], random: () => number): T {
  const found = of[Math.floor(random() * of.length)];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
}

const anyDataset = ({ ledger, random }: World): KnownDataset => pick(ledger.datasets, random);

async function newFolder({ folder, ledger }: World): Promise<string> {
  const path = join(folder, `folder-${ledger.next()}`);
  await mkdir(path);
  return path;
}

/** Requests a change. Its certainty becomes `sure` after a successful response. Returns false if the request was refused. */
async function change(about: { certainty: 'sure' | 'maybe' }, ask: () => Promise<Answer>): Promise<boolean> {
  const answer = await ask();
  if (isDone(answer)) about.certainty = 'sure';
  else if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
  return isDone(answer);
}

const createFromFolder: Operation = async (world) => {
  const { api, ledger } = world;
  if (ledger.datasets.length >= MAX_DATASETS) return deleteDataset(world);
  const folder = await newFolder(world);
  const names = await ledger.writeImages(folder, FILES_OF_A_DATASET);
  const labelled = names.slice(0, 5);
  const rows = labelled.map((name) => `${name},beside`).join('\n');
  await writeFile(join(folder, 'image_annotations.csv'), `filename,label\n${rows}\n`);
  const display = `created-${ledger.next()}`;
  const dataset = newDataset([{ names, certainty: 'sure' }], labelled);
  ledger.unanswered.set(display, dataset);
  const id = await api.createFromFolder(display, folder, { encoder: world.random() < 0.5 ? 'clip' : 'none' });
  ledger.datasets.push({ id, ...dataset });
  ledger.unanswered.delete(display);
};

const createFromUploads: Operation = async (world) => {
  const { api, ledger } = world;
  if (ledger.datasets.length >= MAX_DATASETS) return deleteDataset(world);
  const folder = await newFolder(world);
  const names = await ledger.writeImages(folder, FILES_OF_A_DATASET);
  const display = `uploaded-${ledger.next()}`;
  const dataset = newDataset([{ names, certainty: 'sure' }]);
  ledger.unanswered.set(display, dataset);
  const { body } = await api.get<{ dataset_id: string }>(`/ingestion/new_dataset?dataset_name=${display}&encoder=none`);
  const id = body.dataset_id;
  const { body: opened } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
  const files = names.map((name) => join(folder, name));
  await api.upload(id, opened.trans_id, files.slice(0, 7));
  await api.upload(id, opened.trans_id, files.slice(7));
  const { status } = await api.post(`/ingestion/${id}/process_files/${opened.trans_id}`);
  if (status !== 202) throw new Error(`processing answered ${status}`);
  ledger.datasets.push({ id, ...dataset });
  ledger.unanswered.delete(display);
};

/** Adds new images with the request that the caller provides. */
async function add(world: World, ask: (id: string, folder: string, names: string[]) => Promise<Answer>): Promise<void> {
  const dataset = anyDataset(world);
  const folder = await newFolder(world);
  const names = await world.ledger.writeImages(folder, FILES_OF_A_BATCH);
  const batch: Batch = { names, certainty: 'maybe' };
  dataset.batches.push(batch);
  const isTaken = await change(batch, () => ask(dataset.id, folder, names));
  if (!isTaken) dataset.batches.splice(dataset.batches.indexOf(batch), 1);
}

const addFolder: Operation = (world) =>
  add(world, (id, folder) =>
    world.api.post(`/dataset/${id}/add_media`, {
      s3_uri: folder,
      ...(world.random() < 0.5 && { auto_reindex: 'true' }),
    }),
  );

const addUploads: Operation = (world) =>
  add(world, async (id, folder, names) => {
    const body = new FormData();
    for (const name of names)
      body.append('files', new Blob([new Uint8Array(await readFile(join(folder, name)))]), name);
    return world.api.call('POST', `/dataset/${id}/add_media`, { body });
  });

const addArchive: Operation = (world) =>
  add(world, async (id, folder, names) => {
    const parts = names.map(async (name) => ({ name, data: await readFile(join(folder, name)) }));
    const body = new FormData();
    body.append('archive', new Blob([new Uint8Array(buildTar(await Promise.all(parts)))]), 'more.tar');
    return world.api.call('POST', `/dataset/${id}/add_media`, { body });
  });

const reindex: Operation = async (world) => {
  await world.api.post(`/dataset/${anyDataset(world).id}/reindex`);
};

const addMeaning: Operation = async (world) => {
  await world.api.call('POST', `/dataset/${anyDataset(world).id}/meaning`, json({ encoder: 'clip' }));
};

const enrich: Operation = async (world) => {
  const { api, ledger } = world;
  if (ledger.datasets.length >= MAX_DATASETS) return deleteDataset(world);
  const candidates = ledger.datasets.filter(({ watched }) => !watched);
  if (candidates.length === 0) return;
  const source = pick(candidates, world.random);
  const { body: listed } = await api.get<{ display_name: string }>(`/dataset/${source.id}`);
  const copy = copyOf(source);
  ledger.unanswered.set(`${listed.display_name} (enriched)`, copy);
  const answer = await api.call<{ dataset_id: string }>(
    'POST',
    `/dataset/${source.id}/enrich_dataset`,
    json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
  );
  ledger.unanswered.delete(`${listed.display_name} (enriched)`);
  if (isDone(answer)) ledger.datasets.push({ id: answer.body.dataset_id, ...copy });
};

/** Creates a snapshot and a dataset from it. */
const clone: Operation = async (world) => {
  const { api, ledger } = world;
  if (ledger.datasets.length >= MAX_DATASETS) return deleteDataset(world);
  const candidates = ledger.datasets.filter(({ watched }) => !watched);
  if (candidates.length === 0) return;
  const source = pick(candidates, world.random);
  const { body: before } = await api.get<Dataset[]>('/datasets');
  const name = `${before.find(({ id }) => id === source.id)?.display_name} (cloned)`;
  if (before.some(({ display_name }) => display_name === name)) return;
  const taken = await api.call<Snapshot>('POST', `/dataset/${source.id}/snapshot`, json({ name }));
  if (!isDone(taken)) return;
  ledger.unanswered.set(name, copyOf(source));
  const answer = await api.post(`/dataset/${source.id}/snapshot/${taken.body.snapshot_id}/clone`);
  if (isDone(answer)) {
    const { body: after } = await api.get<Dataset[]>('/datasets');
    const id = after.find(({ display_name }) => display_name === name)?.id;
    if (id === undefined) throw new Error('the clone is not listed');
    ledger.datasets.push({ id, ...copyOf(source) });
  }
  ledger.unanswered.delete(name);
};

/** The expected contents of a copy of a dataset. */
function copyOf(source: KnownDataset): Omit<KnownDataset, 'id'> {
  return {
    ...newDataset([{ names: sureNames(source), certainty: 'sure' }], [...source.labelled]),
    edits: source.edits.map((edit) => ({ ...edit })),
    excluded: new Set(source.excluded),
  };
}

/** Chooses some items of a dataset that are not excluded, and the query that selects them. */
function someItems({ random }: World, dataset: KnownDataset) {
  const all = sureNames(dataset).filter((name) => dataset.mediaIds.has(name) && !dataset.excluded.has(name));
  const names = all.filter(() => random() < 0.4).slice(0, 6);
  const ids = names.map((name) => dataset.mediaIds.get(name) ?? '');
  return { names, media_selection: [{ type: 'media', payload: { media_ids: ids } }] };
}

const tag: Operation = async (world) => {
  const { api, ledger } = world;
  const dataset = anyDataset(world);
  const { names, media_selection } = someItems(world, dataset);
  if (names.length === 0) return;
  const created = await api.call<Tag>('POST', `/dataset/${dataset.id}/tags`, json({ name: `tag-${ledger.next()}` }));
  if (!isDone(created)) return;
  const edit = { vql: { tags: { op: 'is', value: created.body.id } }, names, certainty: 'maybe' as const };
  dataset.edits.push(edit);
  const body = { media_selection, add: [created.body.id] };
  const isMade = await change(edit, () => api.call('POST', `/dataset/${dataset.id}/edit_tags`, json(body)));
  if (!isMade) dataset.edits.splice(dataset.edits.indexOf(edit), 1);
};

const label: Operation = async (world) => {
  const { api, ledger } = world;
  const dataset = anyDataset(world);
  const { names, media_selection } = someItems(world, dataset);
  if (names.length === 0) return;
  const name = `label-${ledger.next()}`;
  const edit = { vql: { labels: { op: 'is', value: name } }, names, certainty: 'maybe' as const };
  dataset.edits.push(edit);
  const body = { media_selection, add: [name] };
  const isMade = await change(edit, () => api.call('POST', `/dataset/${dataset.id}/edit_labels`, json(body)));
  if (!isMade) dataset.edits.splice(dataset.edits.indexOf(edit), 1);
};

/** Excludes items and restores them. A kill may come between the two requests. */
const exclude: Operation = async (world) => {
  const { api } = world;
  const dataset = anyDataset(world);
  const { names, media_selection } = someItems(world, dataset);
  if (names.length === 0) return;
  dataset.leftOut = names;
  await api.call('POST', `/dataset/${dataset.id}/exclude`, json({ media_selection }));
  await api.call('POST', `/dataset/${dataset.id}/undo_edit`, json({}));
};

/** Adds, deletes and renames images in a watched folder. */
const changeWatched: Operation = async (world) => {
  const { api, ledger } = world;
  const dataset = ledger.datasets.find(({ watched }) => watched) ?? anyDataset(world);
  if (!dataset.watched) {
    const folder = await newFolder(world);
    const answer = await api.call('POST', `/dataset/${dataset.id}/watched_folders`, json({ path: folder }));
    if (!isDone(answer)) return;
    dataset.watched = { folder, names: new Set() };
  }
  const { folder, names } = dataset.watched;
  for (const name of await ledger.writeImages(folder, 4)) names.add(name);
  const [moved, gone] = [...names].filter((name) => dataset.mediaIds.has(name));
  if (gone !== undefined) {
    names.delete(gone);
    await rm(join(folder, gone));
  }
  if (moved !== undefined) await moveWatched(ledger, dataset, moved);
};

/** Renames a file. Its item keeps its id. */
async function moveWatched(ledger: Ledger, dataset: KnownDataset, name: string): Promise<void> {
  if (!dataset.watched) return;
  const { folder, names } = dataset.watched;
  const to = `image-${ledger.next()}.jpg`;
  const bytes = ledger.bytes.get(name);
  if (bytes) ledger.bytes.set(to, bytes);
  for (const known of [dataset.mediaIds, dataset.thumbnails] as Map<string, unknown>[]) {
    known.set(to, known.get(name));
    known.delete(name);
  }
  names.delete(name);
  names.add(to);
  for (const { names: edited } of dataset.edits) {
    const at = edited.indexOf(name);
    if (at >= 0) (edited as string[])[at] = to;
  }
  await rename(join(folder, name), join(folder, to));
}

const backUp: Operation = async ({ api, ledger, backups }) => {
  const answer = await api.call('POST', '/backup', json({ folder: backups, keep: 3 }));
  if (isDone(answer)) ledger.backups += 1;
};

const deleteDataset: Operation = async (world) => {
  const { api, ledger } = world;
  const candidates = ledger.datasets.filter(({ watched }) => !watched);
  if (candidates.length < 3) return;
  const dataset = pick(candidates, world.random);
  dataset.deletion = 'maybe';
  const answer = await api.call('DELETE', `/dataset/${dataset.id}`);
  if (isDone(answer)) dataset.deletion = 'sure';
  else delete dataset.deletion;
};

export const OPERATIONS: Record<string, Operation> = {
  createFromFolder,
  createFromUploads,
  addFolder,
  addUploads,
  addArchive,
  reindex,
  addMeaning,
  enrich,
  clone,
  tag,
  label,
  exclude,
  changeWatched,
  backUp,
  deleteDataset,
};
