import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MetadataField } from '../../../src-main/contract/schemas/custom-metadata.ts';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { ItemPage } from '../../../src-main/contract/schemas/facets.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { PASSWORD, signIn } from '../accounts.ts';
import { type Api, json } from '../api.ts';
import { image } from '../images.ts';
import { tinyPng } from '../tiny-png.ts';

/** Position of the walk and access to its dataset. */
export interface Walker {
  api: Api;
  /** Empty before the dataset exists. */
  id: string;
  /** Folder of images for a second dataset. */
  folder: string;
  /** The API key that was created last, if its answer arrived. */
  key?: { api_key: string; api_secret: string };
}

/** Username of the administrator who takes the steps. */
export const ADMIN = 'administrator';
const USERS = '/idp/admin/users';

/** Starts a transition. May be called again if the transition did not happen at all. */
export type Ask = (walker: Walker) => Promise<unknown>;

/** Number of files in the folder: enough that the creation is still running when it is stopped. */
export const FILES_OF_FOLDER = 40;

export const createDraft: Ask = ({ api }) => api.get('/ingestion/new_dataset?dataset_name=walk&encoder=none');

export const processFiles: Ask = async ({ api, id }) => {
  const { body } = await api.get<{ trans_id: number }>(`/ingestion/${id}/data_files`);
  await api.call('POST', `/ingestion/${id}/data_files/${body.trans_id}`, { body: await filesOf([1, 2, 3, 4]) });
  await api.post(`/ingestion/${id}/process_files/${body.trans_id}`);
};

export const add =
  (seeds: readonly number[], fields?: Record<string, string>): Ask =>
  async ({ api, id }) =>
    api.call('POST', `/dataset/${id}/add_media`, { body: await filesOf(seeds, fields) });

export const reindex: Ask = ({ api, id }) => api.post(`/dataset/${id}/reindex`);

export const keep =
  (name: string): Ask =>
  ({ api, id }) =>
    api.call('POST', `/dataset/${id}/snapshot`, json({ name }));

export const restore =
  (name: string): Ask =>
  async (walker) =>
    walker.api.post(`/dataset/${walker.id}/snapshot/${await snapshotNamed(walker, name)}/restore`);

export const clone =
  (name: string): Ask =>
  async (walker) =>
    walker.api.post(`/dataset/${walker.id}/snapshot/${await snapshotNamed(walker, name)}/clone`);

export const deleteSnapshot =
  (name: string): Ask =>
  async (walker) =>
    walker.api.call('DELETE', `/dataset/${walker.id}/snapshot/${await snapshotNamed(walker, name)}`);

export const excludeFirst: Ask = async ({ api, id }) => {
  const { body } = await api.get<ItemPage>(`/explore/${id}/items?page_size=500`);
  const ids = body.items.filter(({ file_name }) => file_name === 'image-1.jpg').map(({ media_id }) => media_id);
  const selection = [{ type: 'media', payload: { media_ids: ids } }];
  return api.call('POST', `/dataset/${id}/exclude`, json({ media_selection: selection }));
};

export const saveView: Ask = ({ api, id }) => api.post(`/dataset/${id}/views`, { name: 'all' });

export const muteView: Ask = async (walker) =>
  walker.api.call('POST', `${await addressOfView(walker)}/alerting`, json({ request: { enabled: false } }));

export const deleteView: Ask = async (walker) => walker.api.call('DELETE', await addressOfView(walker));

export const readAll: Ask = ({ api }) => api.post('/notifications/read-all');

/** Declares a field if it does not exist yet, and gives each item a value of it. */
export const fillField: Ask = async ({ api, id }) => {
  const tasks = `/datasets/${id}/custom_metadata/tasks`;
  await api.call('POST', tasks, json({ field_name: 'weight', field_type: 'float' }));
  const { body: fields } = await api.get<MetadataField[]>(`/datasets/${id}/custom_metadata/schema`);
  const { body } = await api.get<ItemPage>(`/explore/${id}/items?page_size=500`);
  const values = body.items.map(({ media_id }, at) => ({ media_id, value: at }));
  await api.call('POST', `${tasks}/${fields[0]?.task_id}`, json(values));
};

export const exportAll: Ask = ({ api, id }) =>
  api.get(`/dataset/${id}/export_context_async?export_format=json&include_images=true`);

export const enrich: Ask = ({ api, id }) =>
  api.call('POST', `/dataset/${id}/enrich_dataset`, json({ enrichment_models: { OBJECT_DETECTION: 'detector' } }));

export const deleteDataset =
  (name: string): Ask =>
  async ({ api }) =>
    api.call('DELETE', `/dataset/${(await datasetNamed(api, name))?.id}`);

export const createUser: Ask = ({ api }) =>
  api.call('POST', USERS, json({ username: 'walker', password: PASSWORD, firstName: 'Ada', lastName: 'Walker' }));

export const setEnabled =
  (enabled: boolean): Ask =>
  async ({ api }) =>
    api.call('PATCH', `${USERS}/${(await findUser(api))?.id}`, json({ enabled }));

export const makeEditor: Ask = async ({ api }) =>
  api.call('PUT', `/workspace/members/${(await findUser(api))?.user_id}/role`, json({ role: 'editor' }));

export const deleteUser: Ask = async ({ api }) => api.call('DELETE', `${USERS}/${(await findUser(api))?.id}`);

/** The user creates an API key. */
export const createKey: Ask = async (walker) => {
  const user = await signIn(walker.api, 'walker');
  walker.key = (await user.get<{ api_key: string; api_secret: string }>('/api_credentials')).body;
};

async function findUser(api: Api): Promise<User | undefined> {
  const { body } = await api.get<{ users: User[] }>(`${USERS}?search=walker`);
  return body.users[0];
}

/** Creates a dataset from a folder whose only file is not an image. */
export const createFromNothing: Ask = async ({ api, folder }) => {
  for (const name of await readdir(folder)) await rm(join(folder, name));
  await writeFile(join(folder, '0.png'), '');
  await api.createFromFolder('folder', folder, { encoder: 'none' });
};

/** Adds images to the folder and retries. */
export const retryWithImages: Ask = async (walker) => {
  for (let seed = 0; seed < FILES_OF_FOLDER; seed += 1) {
    await writeFile(join(walker.folder, `${seed}.png`), tinyPng(seed));
  }
  await retry(walker);
};

/** Starts a new creation and stops it. */
export const createAndStop: Ask = async ({ api, folder }) => {
  const former = await datasetNamed(api, 'folder');
  if (former) await api.call('DELETE', `/dataset/${former.id}`);
  await api.createFromFolder('folder', folder, { encoder: 'none' });
  await api.post(`/tasks/${await newestCreation(api)}/abort`);
};

export const retry: Ask = async ({ api }) => api.post(`/tasks/${await newestCreation(api)}/retry`);

async function newestCreation(api: Api): Promise<string | undefined> {
  const { body } = await api.get<{ tasks: Task[] }>('/tasks?task_type=DATASET_CREATION&dataset_name=folder');
  return body.tasks[0]?.task_id;
}

async function datasetNamed(api: Api, name: string): Promise<Dataset | undefined> {
  const { body } = await api.get<Dataset[]>('/datasets');
  return body.find(({ display_name }) => display_name === name);
}

async function snapshotNamed({ api, id }: Walker, name: string): Promise<string> {
  if (name === 'current') return name;
  const { body } = await api.get<Snapshot[]>(`/dataset/${id}/snapshot`);
  return body.find(({ snapshot_name }) => snapshot_name === name)?.snapshot_id ?? '';
}

async function addressOfView({ api, id }: Walker): Promise<string> {
  const { body } = await api.get<{ views: View[] }>(`/dataset/${id}/views`);
  return `/dataset/${id}/views/${body.views[0]?.id}`;
}

async function filesOf(seeds: readonly number[], fields: Record<string, string> = {}): Promise<FormData> {
  const body = new FormData();
  for (const seed of seeds) {
    body.append('files', new Blob([new Uint8Array(await image(seed, 96, 64))]), `image-${seed}.jpg`);
  }
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}
