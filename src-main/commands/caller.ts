import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type Arguments, type CallableOperationId, operations, type Result } from '../contract/contract.ts';
import { AppError, type ErrorBody } from '../contract/errors.ts';
import { asWritten, message } from '../contract/messages.ts';
import type { FileSlice } from '../contract/operations/media.ts';
import type { Task } from '../contract/schemas/task.ts';
import type { CallContext, Core } from '../core/core.ts';
import type { ServerAddress } from '../infra/data-folder.ts';

/** Not imported: [Note: Modules that load undici]. */
const { request: requestPlain } = process.getBuiltinModule('node:http');

const POLL_MS = 200;

/** Calls operations as the local owner, on a core in this process or on a running server. */
export type Caller = <Id extends CallableOperationId>(id: Id, input: Arguments<Id>) => Promise<Result<Id>>;

function contextOf(core: Core): CallContext {
  const signal = new AbortController().signal;
  return { principal: core.localOwner(), signal, baseUrl: '', address: '127.0.0.1', client: 'vitrine' };
}

export function callerOf(core: Core): Caller {
  const context = contextOf(core);
  return async <Id extends CallableOperationId>(id: Id, input: Arguments<Id>) =>
    (await core.invoke(id, input, context)) as Result<Id>;
}

/** Returns the file behind a signed address of an original. @throws AppError `not_found`. */
export async function fileOf(core: Core, mediaUri: string): Promise<FileSlice> {
  const { pathname, searchParams } = new URL(mediaUri, 'http://localhost');
  const [datasetId = '', mediaId = ''] = pathname.split('/').slice(-2);
  const input = { dataset_id: datasetId, media_id: mediaId, ...Object.fromEntries(searchParams) };
  return (await core.invoke('get_media_file', input, contextOf(core))) as FileSlice;
}

/** Returns a caller for a running server. @throws AppError as returned by the server. */
export function callerOver(address: ServerAddress): Caller {
  return async <Id extends CallableOperationId>(id: Id, input: Arguments<Id>) => {
    const { method, path, body } = operations[id];
    const rest: Record<string, unknown> = { ...input };
    const named = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      const value = rest[name];
      delete rest[name];
      return encodeURIComponent(String(value));
    });
    const query = body === 'json' ? '' : `?${new URLSearchParams(rest as Record<string, string>)}`;
    const { status, text } = await send(address, method, `/api/v1${named}${query}`, body === 'json' ? rest : undefined);
    const answer: unknown = JSON.parse(text);
    if (status < 400) return answer as Result<Id>;
    const { code, detail, reason } = answer as ErrorBody;
    throw new AppError(code, reason ?? asWritten(detail));
  };
}

/** Sends a request. The server must present the certificate recorded in its data folder; issuer and host name are not checked. */
async function send(
  { base_url, key, certificate }: ServerAddress,
  method: string,
  path: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const url = new URL(path, base_url);
  const sent =
    certificate === null
      ? requestPlain(url, { method, headers })
      : requestTls(url, {
          ...{ method, headers, ca: certificate },
          allowPartialTrustChain: true,
          checkServerIdentity: () => undefined,
        });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await readText(response) };
}

/** Prints the progress of a task until it has finished. */
export async function followTask(
  call: Caller,
  { task_id, task_type }: Pick<Task, 'task_id' | 'task_type'>,
  say: (line: string) => void,
): Promise<Task> {
  for (let reported = ''; ; await wait(POLL_MS)) {
    const { tasks } = await call('list_tasks', { task_type, page_size: 50 });
    const task = tasks.find((one) => one.task_id === task_id);
    if (!task) throw new AppError('not_found', message('task_gone'));
    if (task.end_time !== null) return task;
    if (task.step !== reported && task.step !== '') say(`${task.step}…`);
    reported = task.step;
  }
}
