import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { MetadataField } from '../../../src-main/contract/schemas/custom-metadata.ts';
import type { Dataset, DatasetStatus } from '../../../src-main/contract/schemas/dataset.ts';
import type { ExportTask } from '../../../src-main/contract/schemas/export.ts';
import type { ItemPage } from '../../../src-main/contract/schemas/facets.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import type { Trend, View } from '../../../src-main/contract/schemas/view.ts';
import { signToken } from '../accounts.ts';
import { Api } from '../api.ts';
import { ADMIN, type Walker } from './walk-steps.ts';

/** State of a dataset while no task runs, and of what was created from it. */
export interface RestState {
  status: DatasetStatus | 'none';
  /** Names of the files that Explore shows. */
  items: string[];
  /** Newest first. The snapshot that was created automatically is called `first`. */
  snapshots: string[];
  current: string | null;
  /** Custom fields whose values are present. */
  fields: string[];
  /** The saved view, with the number of matching items per batch. */
  view: { is_alerting: boolean; trend: number[] } | null;
  /** Number of unread notifications. */
  unread: number;
  /** Number of exports that can be downloaded. */
  n_exports: number;
  /** Accounts beside the administrator: username, role, and `disabled`. */
  users: string[];
  /** Whether the API key that was created last is accepted. */
  key: boolean;
  /** Other datasets: name, status and number of images. */
  others: string[];
}

/** State before any dataset exists. */
export const NOTHING: RestState = {
  status: 'none',
  items: [],
  snapshots: [],
  current: null,
  fields: [],
  view: null,
  unread: 0,
  n_exports: 0,
  users: [],
  key: false,
  others: [],
};

const nameOf = ({ reason, snapshot_name }: Snapshot) => (reason === 'creation' ? 'first' : snapshot_name);

/** Returns the state of the dataset called `walk`. The walker looks up its id. */
export async function stateOf(walker: Walker): Promise<RestState> {
  const { api } = walker;
  const { body } = await api.get<Dataset[]>('/datasets');
  const row = body.find(({ display_name }) => display_name === 'walk');
  const others = body.filter(({ id }) => id !== row?.id).map(tellOther);
  const unread = (await api.get<{ count: number }>('/notifications/unread-count')).body.count;
  const around = { unread, users: await usersOf(api), key: await isKeyAccepted(walker), others: others.toSorted() };
  if (!row) return { ...NOTHING, ...around };
  walker.id = row.id;
  expect(row.fatal_error_msg).toBeNull();
  const snapshots = (await api.get<Snapshot[]>(`/dataset/${row.id}/snapshot`)).body;
  expect(snapshots.filter(({ is_restoring }) => is_restoring)).toEqual([]);
  const current = snapshots.find(({ is_current }) => is_current);
  const fields = (await api.get<MetadataField[]>(`/datasets/${row.id}/custom_metadata/schema`)).body;
  const { exports } = (await api.get<{ exports: ExportTask[] }>(`/dataset/${row.id}/exports`)).body;
  const items =
    row.status_new === 'DRAFT' ? [] : (await api.get<ItemPage>(`/explore/${row.id}/items?page_size=500`)).body.items;
  return {
    status: row.status_new,
    items: items.map(({ file_name }) => file_name).toSorted(),
    snapshots: snapshots.map(nameOf),
    current: current ? nameOf(current) : null,
    fields: fields.filter(({ status }) => status === 'COMPLETED').map(({ field_name }) => field_name),
    view: await viewOf(walker),
    n_exports: exports.filter(({ status }) => status === 'COMPLETED').length,
    ...around,
  };
}

/** States that were observed on the way. Consecutive equal states are recorded once. */
export interface Seen {
  /** Statuses by dataset name. */
  statuses: Map<string, RestState['status'][]>;
  currents: (string | null)[];
  restoring: Set<string>;
}

/** Polls all states until the returned function is called, also while no server runs. */
export function follow(walker: Walker): () => Promise<Seen> {
  const seen: Seen = { statuses: new Map(), currents: [], restoring: new Set() };
  let following = true;
  const look = async () => {
    const { body } = await walker.api.get<Dataset[]>('/datasets');
    for (const name of new Set([...seen.statuses.keys(), ...body.map(({ display_name }) => display_name)])) {
      const found = body.find(({ display_name }) => display_name === name);
      const statuses = seen.statuses.get(name) ?? [];
      note(statuses, found?.status_new ?? 'none');
      seen.statuses.set(name, statuses);
    }
    const walk = body.find(({ display_name }) => display_name === 'walk');
    if (!walk) return;
    const { status, body: snapshots } = await walker.api.get<Snapshot[]>(`/dataset/${walk.id}/snapshot`);
    if (status !== 200) return;
    const current = snapshots.find(({ is_current }) => is_current);
    note(seen.currents, current ? nameOf(current) : null);
    for (const one of snapshots) if (one.is_restoring) seen.restoring.add(nameOf(one));
  };
  const run = async () => {
    while (following) {
      await look().catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
      });
      await pause(15);
    }
    return seen;
  };
  const ended = run();
  return () => {
    following = false;
    return ended;
  };
}

function note<Value>(values: Value[], value: Value): void {
  if (values.at(-1) !== value || values.length === 0) values.push(value);
}

async function usersOf(api: Api): Promise<string[]> {
  const { body } = await api.get<{ users: User[] }>('/idp/admin/users');
  return body.users
    .filter(({ username }) => username !== ADMIN)
    .map(({ username, workspace_role, enabled }) => `${username} ${workspace_role}${enabled ? '' : ' disabled'}`);
}

async function isKeyAccepted({ api, key }: Walker): Promise<boolean> {
  if (!key) return false;
  const authorization = `Bearer ${await signToken(key)}`;
  return (await new Api(api.baseUrl, { authorization }).get('/account')).status === 200;
}

function tellOther({ display_name, status_new, stopped, n_images }: Dataset): string {
  return stopped ? `${display_name} stopped` : `${display_name} ${status_new} ${n_images}`;
}

async function viewOf({ api, id }: Walker): Promise<RestState['view']> {
  const { body } = await api.get<{ views: View[] }>(`/dataset/${id}/views`);
  const [view] = body.views;
  if (!view) return null;
  const trend = (await api.get<Trend>(`/dataset/${id}/views/${view.id}/trend`)).body;
  return { is_alerting: view.alerting_enabled, trend: trend.points.map(({ count }) => count) };
}
