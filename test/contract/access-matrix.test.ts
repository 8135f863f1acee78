import { EventEmitter } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type OperationId, operations } from '../../src-main/contract/contract.ts';
import { ERROR_STATUS, type ErrorBody } from '../../src-main/contract/errors.ts';
import { pathParameters } from '../../src-main/contract/operation.ts';
import { PERMISSION_SCOPES, type WorkspaceRole } from '../../src-main/contract/permissions.ts';
import type { IpcMessageEvent, IpcSender } from '../../src-main/ipc/electron-ipc.ts';
import { INVOKE_CHANNEL, type InvokeReply, mountIpc } from '../../src-main/ipc/mount-ipc.ts';
import { beginSession, json, PASSWORD, signIn, signToken, WITH_ACCOUNTS } from '../support/accounts.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { addMember } from '../support/members.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';
import { CALLERS, type CallerKind, MATRIX, type Outcome } from './access-matrix.ts';

/*
 * Tests every operation with every kind of caller, over HTTP and over IPC, against one table. Refusals need no valid input, so requests
 * contain only what identifies their subject. Most allowed callers get an error about missing input.
 */
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
/** Name of each subject in the error that hides it from callers without access. */
const HIDDEN = { workspace: 'Workspace', dataset: 'Dataset', image: 'Image', task: 'Task' } as const;
/** Error about folders of the server, which is reported only to roles that may know them. */
const NOT_OPENED = /folder/i;
/** Settings that prevent allowed callers from deleting, adding or saving anything. */
const SWITCHED_OFF = {
  VITRINE_DELETE_DATASET_ENABLED: 'false',
  VITRINE_ADD_MEDIA_ENABLED: 'false',
  VITRINE_DATASET_SNAPSHOTS_ENABLED: 'false',
};

const ids = (Object.keys(operations) as OperationId[])
  // Operations that end sessions run last.
  .sort((a, b) => Number(/logout|session/.test(a)) - Number(/logout|session/.test(b)));

let test: TestApi;
let api: Api;
let known: Record<string, string>;
/** Credentials of each kind of caller: a token and a session. */
const tokens = {} as Record<CallerKind, Record<string, string>>;
const sessions = {} as Record<CallerKind, Record<string, string>>;

beforeAll(async () => {
  const environment = { ...WITH_ACCOUNTS, ...SWITCHED_OFF, SINGLE_WORKSPACE_MODE: 'false' };
  test = await startTestApi({ environment, finished: atEnd });
  ({ api } = test);
  const add = (kind: CallerKind, role: WorkspaceRole | null) => addMember(test.data, usernameOf(kind), role);
  const admin = await add('admin', 'admin');
  for (const role of ['viewer', 'editor'] as const) await add(role, role);
  for (const kind of ['disabled', 'temporary'] as const) await add(kind, 'viewer');
  await add('owner', 'editor');
  await add('shared', null);
  const other = await add('other', null);
  const { id } = await test.call('create_workspace', { name: 'another' }, admin);
  await test.call('add_member', { user_id: other.user_id, role: 'admin', workspace_id: id }, admin);

  const owner = await signIn(api, usernameOf('owner'));
  known = await makeDataset(owner, admin.workspace_id ?? '');
  const share = { grant_to_user_email: `${usernameOf('shared')}@localhost` };
  expect((await owner.call('PUT', `/manage/${known.dataset_id}/invite`, json(share))).status).toBe(200);

  for (const kind of CALLERS) {
    tokens[kind] = await tokenOf(kind);
    sessions[kind] = await sessionOf(kind);
  }
  const boss = await signIn(api, usernameOf('admin'));
  const { body } = await boss.get<{ users: { id: string; username: string }[] }>('/idp/admin/users');
  const idOf = (kind: CallerKind) => body.users.find(({ username }) => username === usernameOf(kind))?.id;
  await boss.call('PATCH', `/idp/admin/users/${idOf('disabled')}`, json({ enabled: false }));
  await boss.call('POST', `/idp/admin/users/${idOf('temporary')}/reset-password`, json({ password: PASSWORD }));
  sessions.temporary = await sessionOf('temporary');
});

/** Creates a dataset with a task and an image. Returns the ids for requests. */
async function makeDataset(owner: Api, workspaceId: string): Promise<Record<string, string>> {
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2]);
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const { dataset_id = '' } = (await owner.get<Record<string, string>>('/ingestion/new_dataset?dataset_name=d')).body;
  const { trans_id } = (await owner.get<{ trans_id: number }>(`/ingestion/${dataset_id}/data_files`)).body;
  await owner.upload(dataset_id, trans_id, files);
  await owner.post(`/ingestion/${dataset_id}/process_files/${trans_id}`);
  await owner.waitFor(dataset_id, 'READY');
  await owner.atRest();
  const { tasks } = (await owner.get<{ tasks: { task_id: string }[] }>(`/tasks?dataset_id=${dataset_id}`)).body;
  const { clusters } = (await owner.get<{ clusters: { previews: { media_id: string }[] }[] }>(`/explore/${dataset_id}`))
    .body;
  return {
    dataset_id,
    enrichment_context_id: dataset_id,
    workspace_id: workspaceId,
    task_id: tasks[0]?.task_id ?? '',
    image_id: clusters[0]?.previews[0]?.media_id ?? '',
    transaction_id: '1',
    expires: '0',
    signature: 'x',
    covers: 'A'.repeat(22),
  };
}

/** Account of a caller. Callers with an invalid session or token have signed in with it once. */
const usernameOf = (kind: CallerKind) => `${kind === 'expired' || kind === 'forged' ? 'viewer' : kind}-account`;

async function tokenOf(kind: CallerKind): Promise<Record<string, string>> {
  if (kind === 'none') return {};
  const credential = (
    await (await signIn(api, usernameOf(kind))).get<{ api_key: string; api_secret: string }>('/api_credentials')
  ).body;
  if (kind === 'forged') credential.api_secret = `${credential.api_secret.slice(1)}x`;
  return { authorization: `Bearer ${await signToken(credential, kind === 'expired' ? -600 : 600)}` };
}

async function sessionOf(kind: CallerKind): Promise<Record<string, string>> {
  if (kind === 'none') return {};
  const cookie = await beginSession(api, usernameOf(kind));
  if (kind === 'expired') await new Api(api.baseUrl, { cookie }).call('POST', '/logout');
  return { cookie: kind === 'forged' ? `${cookie.slice(0, -2)}xx` : cookie };
}

/** Returns the input of an operation: the subject of its permission, its path parameters and a signature. */
function inputOf(id: OperationId): Record<string, string> {
  const { input, path, permission } = operations[id];
  const scope = PERMISSION_SCOPES[permission];
  const expected = new Set([...pathParameters(path), 'enrichment_context_id', 'expires', 'signature']);
  // Most clients specify no workspace for a new dataset.
  if (scope !== 'service' && permission !== 'datasets:create') expected.add(`${scope}_id`);
  const names = [...expected].filter((name) => name in input.shape);
  return Object.fromEntries(names.map((name) => [name, known[name] ?? UNKNOWN]));
}

/** Some errors do not depend on the caller: a disabled feature, a folder that was not opened, and a missing part of a visible subject. */
function outcomeOf(id: OperationId, error: ErrorBody | undefined): Outcome {
  if (!error || error.code === 'feature_disabled' || NOT_OPENED.test(error.detail)) return 'yes';
  const scope = PERMISSION_SCOPES[operations[id].permission];
  const status = ERROR_STATUS[error.code];
  if (status === 404) return scope !== 'service' && error.detail === `${HIDDEN[scope]} not found` ? 404 : 'yes';
  return status === 401 || status === 403 ? status : 'yes';
}

async function overHttp(id: OperationId, headers: Record<string, string>): Promise<Outcome> {
  const { method, path } = operations[id];
  const input = inputOf(id);
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => input[name] ?? UNKNOWN);
  const over = new AbortController();
  const response = await fetch(`${api.baseUrl}/api/v1${address}?${new URLSearchParams(input)}`, {
    method,
    headers,
    redirect: 'manual',
    signal: over.signal,
  });
  const error = response.status >= 400 ? ((await response.json()) as ErrorBody) : undefined;
  // Closes event streams, which would otherwise stay open.
  over.abort();
  return outcomeOf(id, error);
}

/** Opens an app window with its own session. */
function openWindow(): (id: OperationId, input: object) => Promise<InvokeReply> {
  const handlers = new Map<string, (event: IpcMessageEvent, ...values: unknown[]) => unknown>();
  const ipc = {
    handle: (channel: string, listener: (event: IpcMessageEvent, ...values: unknown[]) => unknown) => {
      handlers.set(channel, listener);
    },
    removeHandler: (channel: string) => {
      handlers.delete(channel);
    },
  };
  const { core } = test;
  const temporary = core.temporaryFolder;
  atEnd(mountIpc({ core, ipc, isTrustedSender: () => true, temporaryFolder: temporary, baseUrl: api.baseUrl }));
  const sender: IpcSender = Object.assign(new EventEmitter(), {
    id: 1,
    isDestroyed: () => false,
    send: () => undefined,
  });
  const event: IpcMessageEvent = { sender, senderFrame: null };
  return async (id, input) => (await handlers.get(INVOKE_CHANNEL)?.(event, id, input)) as InvokeReply;
}

// Tokens and sessions alternate, so that half of the kinds call each operation with a token and the others with a session.
it.each(CALLERS)('%s over HTTP, by a token and by a session', async (kind) => {
  const wrong: Record<string, Outcome> = {};
  for (const [at, id] of ids.entries()) {
    const isByToken = (at + CALLERS.indexOf(kind)) % 2 === 0;
    const outcome = await overHttp(id, isByToken ? tokens[kind] : sessions[kind]);
    if (outcome !== MATRIX[operations[id].permission][kind]) wrong[id] = outcome;
    if (operations[id].session === 'end' && kind !== 'disabled') sessions[kind] = await sessionOf(kind);
  }
  expect(wrong).toEqual({});
});

// IPC uses no tokens, so nothing can be forged.
it.each(CALLERS.filter((kind) => kind !== 'forged'))('%s over IPC', async (kind) => {
  const call = openWindow();
  const account = { username: usernameOf(kind), password: PASSWORD };
  if (kind !== 'none') expect((await call('login', account)).ok).toBe(kind !== 'disabled');
  if (kind === 'expired') await call('logout', {});
  const wrong: Record<string, Outcome> = {};
  for (const id of ids) {
    const { reply, permission, session } = operations[id];
    if (reply === 'file' || reply === 'stream' || reply === 'redirect') continue;
    const answer = await call(id, inputOf(id));
    const outcome = outcomeOf(id, answer.ok ? undefined : answer.error);
    if (outcome !== MATRIX[permission][kind]) wrong[id] = outcome;
    if (session === 'end' && kind !== 'expired' && kind !== 'none') await call('login', account);
  }
  expect(wrong).toEqual({});
});
