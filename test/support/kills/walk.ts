import { expect } from 'vitest';
import type { Dataset, DatasetStatus } from '../../../src-main/contract/schemas/dataset.ts';
import type { ItemPage } from '../../../src-main/contract/schemas/facets.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { type Answer, type Api, json } from '../api.ts';
import { image } from '../images.ts';

/** Where the walk goes on, and how its dataset is reached. */
export interface Walker {
  api: Api;
  /** Empty before there is a dataset. */
  id: string;
}

/** What a dataset is at rest. */
export interface RestState {
  status: DatasetStatus | 'none';
  /** Names of the files that are shown. */
  items: string[];
  /** Newest first; the one that was made by itself is `first`. */
  snapshots: string[];
  current: string | null;
}

export interface Step {
  name: string;
  /** Begins the transition; may be asked for again where nothing of it has happened. */
  ask(walker: Walker): Promise<unknown>;
  /** Statuses on the way, in order; some may be too short to be seen. */
  path: readonly RestState['status'][];
  /** What a task of this type is there for then. */
  task?: Task['task_type'];
  after: RestState;
}

const names = (...seeds: number[]) => seeds.map((seed) => `image-${seed}.jpg`);

async function filesOf(seeds: readonly number[], fields: Record<string, string> = {}): Promise<FormData> {
  const body = new FormData();
  for (const seed of seeds) {
    body.append('files', new Blob([new Uint8Array(await image(seed, 96, 64))]), `image-${seed}.jpg`);
  }
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}

const add =
  (seeds: readonly number[], fields?: Record<string, string>) =>
  async ({ api, id }: Walker): Promise<Answer> =>
    api.call('POST', `/dataset/${id}/add_media`, { body: await filesOf(seeds, fields) });

async function snapshotNamed({ api, id }: Walker, name: string): Promise<string> {
  if (name === 'current') return name;
  const { body } = await api.get<Snapshot[]>(`/dataset/${id}/snapshot`);
  return body.find(({ snapshot_name }) => snapshot_name === name)?.snapshot_id ?? '';
}

const create =
  (name: string) =>
  ({ api, id }: Walker) =>
    api.call('POST', `/dataset/${id}/snapshot`, json({ name }));

const restore = (name: string) => async (walker: Walker) =>
  walker.api.post(`/dataset/${walker.id}/snapshot/${await snapshotNamed(walker, name)}/restore`);

async function fill(walker: Walker): Promise<void> {
  const { api, id } = walker;
  const { body } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
  await api.call('POST', `/ingestion/${id}/data_files/${body.trans_id}`, { body: await filesOf([1, 2, 3, 4]) });
  await api.post(`/ingestion/${id}/process_files/${body.trans_id}`);
}

async function excludeFirst({ api, id }: Walker): Promise<Answer> {
  const { body } = await api.get<ItemPage>(`/explore/${id}/items?page_size=500`);
  const ids = body.items.filter(({ file_name }) => file_name === 'image-1.jpg').map(({ media_id }) => media_id);
  const selection = [{ type: 'media', payload: { media_ids: ids } }];
  return api.call('POST', `/dataset/${id}/exclude`, json({ media_selection: selection }));
}

const FIRST = names(1, 2, 3, 4);
const ALL = names(1, 2, 3, 4, 5, 6, 7, 8);
const before = { snapshots: ['one', 'first'], current: 'one' };
const between = { snapshots: ['two', 'one', 'first'], current: 'two' };
const added: Step['path'] = ['READY', 'READ ONLY', 'INDEXING', 'READY'];
const restoredPath: Step['path'] = ['READY', 'READ ONLY', 'READY'];

/** Every transition of a dataset that the interface names, one after the other. */
export const WALK: readonly Step[] = [
  {
    name: 'new_dataset',
    ask: ({ api }) => api.get('/ingestion/new_dataset?dataset_name=walk&encoder=none'),
    path: ['none', 'DRAFT'],
    after: { status: 'DRAFT', items: [], snapshots: [], current: null },
  },
  {
    name: 'process_files',
    ask: fill,
    path: ['DRAFT', 'INDEXING', 'READY'],
    task: 'DATASET_CREATION',
    after: { status: 'READY', items: FIRST, snapshots: ['first'], current: 'first' },
  },
  { name: 'create one', ask: create('one'), path: ['READY'], after: { status: 'READY', items: FIRST, ...before } },
  {
    name: 'add_media',
    ask: add([5, 6]),
    path: ['READY', 'READ ONLY', 'PARTIAL INDEX'],
    task: 'MEDIA_ADDITION',
    after: { status: 'PARTIAL INDEX', items: names(1, 2, 3, 4, 5, 6), ...before },
  },
  {
    name: 'reindex',
    ask: ({ api, id }) => api.post(`/dataset/${id}/reindex`),
    path: ['PARTIAL INDEX', 'READ ONLY', 'INDEXING', 'READY'],
    task: 'REINDEX',
    after: { status: 'READY', items: names(1, 2, 3, 4, 5, 6), ...before },
  },
  {
    name: 'add_media with auto_reindex',
    ask: add([7, 8], { auto_reindex: 'true' }),
    path: added,
    task: 'MEDIA_ADDITION',
    after: { status: 'READY', items: ALL, ...before },
  },
  { name: 'create two', ask: create('two'), path: ['READY'], after: { status: 'READY', items: ALL, ...between } },
  {
    name: 'restore one',
    ask: restore('one'),
    path: restoredPath,
    task: 'SNAPSHOT_RESTORE',
    after: { status: 'READY', items: FIRST, ...between, current: 'one' },
  },
  {
    name: 'restore two',
    ask: restore('two'),
    path: restoredPath,
    task: 'SNAPSHOT_RESTORE',
    after: { status: 'READY', items: ALL, ...between },
  },
  {
    name: 'exclude',
    ask: excludeFirst,
    path: ['READY'],
    after: { status: 'READY', items: ALL.slice(1), ...between },
  },
  {
    name: 'restore current',
    ask: restore('current'),
    path: restoredPath,
    task: 'SNAPSHOT_RESTORE',
    after: { status: 'READY', items: ALL, ...between },
  },
  {
    name: 'add_media again',
    ask: add([9]),
    path: ['READY', 'READ ONLY', 'PARTIAL INDEX'],
    task: 'MEDIA_ADDITION',
    after: { status: 'PARTIAL INDEX', items: [...ALL, ...names(9)], ...between },
  },
  {
    name: 'restore one from PARTIAL INDEX',
    ask: restore('one'),
    path: ['PARTIAL INDEX', 'READ ONLY', 'READY'],
    task: 'SNAPSHOT_RESTORE',
    after: { status: 'READY', items: FIRST, ...between, current: 'one' },
  },
  {
    name: 'delete two',
    ask: async (walker) =>
      walker.api.call('DELETE', `/dataset/${walker.id}/snapshot/${await snapshotNamed(walker, 'two')}`),
    path: ['READY'],
    after: { status: 'READY', items: FIRST, ...before },
  },
];

/** The state of the dataset called `walk`, which the walker finds by itself. */
export async function stateOf(walker: Walker): Promise<RestState> {
  const { api } = walker;
  const { body } = await api.get<Dataset[]>('/datasets');
  const row = body.find(({ display_name }) => display_name === 'walk');
  if (!row) return { status: 'none', items: [], snapshots: [], current: null };
  walker.id = row.id;
  expect(row.fatal_error_msg).toBeNull();
  const snapshots = (await api.get<Snapshot[]>(`/dataset/${row.id}/snapshot`)).body;
  const nameOf = ({ reason, snapshot_name }: Snapshot) => (reason === 'creation' ? 'first' : snapshot_name);
  expect(snapshots.filter(({ is_restoring }) => is_restoring)).toEqual([]);
  const current = snapshots.find(({ is_current }) => is_current);
  const items =
    row.status_new === 'DRAFT' ? [] : (await api.get<ItemPage>(`/explore/${row.id}/items?page_size=500`)).body.items;
  return {
    status: row.status_new,
    items: items.map(({ file_name }) => file_name).toSorted(),
    snapshots: snapshots.map(nameOf),
    current: current ? nameOf(current) : null,
  };
}
