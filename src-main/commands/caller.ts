import { setTimeout as wait } from 'node:timers/promises';
import { type Arguments, type CallableOperationId, operations, type Result } from '../contract/contract.ts';
import { AppError, type ErrorBody } from '../contract/errors.ts';
import type { Task } from '../contract/schemas/task.ts';
import type { CallContext, Core } from '../core/core.ts';

const POLL_MS = 200;

/** Calls operations as the local owner, of a core in this process or of a server that runs already. */
export type Caller = <Id extends CallableOperationId>(id: Id, input: Arguments<Id>) => Promise<Result<Id>>;

export function callerOf(core: Core): Caller {
  const context: CallContext = {
    principal: core.localOwner(),
    signal: new AbortController().signal,
    baseUrl: '',
    address: '127.0.0.1',
    client: 'vitrine',
  };
  return async <Id extends CallableOperationId>(id: Id, input: Arguments<Id>) =>
    (await core.invoke(id, input, context)) as Result<Id>;
}

/** Of operations without parameters in their path. @throws AppError as the server answers it. */
export function callerOver(baseUrl: string): Caller {
  return async <Id extends CallableOperationId>(id: Id, input: Arguments<Id>) => {
    const { method, path, body } = operations[id];
    const query = body === 'json' ? '' : `?${new URLSearchParams(input as Record<string, string>)}`;
    const response = await fetch(`${baseUrl}/api/v1${path}${query}`, {
      method,
      ...(body === 'json' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as Result<Id>;
    const { code, detail } = answer as ErrorBody;
    throw new AppError(code, detail);
  };
}

/** Says how a task gets on until it has ended. */
export async function followTask(
  call: Caller,
  { task_id, task_type }: Pick<Task, 'task_id' | 'task_type'>,
  say: (line: string) => void,
): Promise<Task> {
  for (let told = ''; ; await wait(POLL_MS)) {
    const { tasks } = await call('list_tasks', { task_type, page_size: 50 });
    const task = tasks.find((one) => one.task_id === task_id);
    if (!task) throw new AppError('not_found', 'The task is gone');
    if (task.end_time !== null) return task;
    if (task.step !== told && task.step !== '') say(`${task.step}…`);
    told = task.step;
  }
}
