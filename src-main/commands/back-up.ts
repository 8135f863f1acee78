import { resolve } from 'node:path';
import { type Caller, followTask } from './caller.ts';

/**
 * The command `npm run backup`.
 * @returns The exit code: 0 when the backup is complete, 1 when it failed.
 */
export async function backUp(
  call: Caller,
  options: { to: string | undefined; keep: number | undefined },
  say: (line: string) => void,
): Promise<number> {
  const { to, keep } = options;
  // A backup may already be running, for example an interrupted one that resumed at start.
  const { tasks } = await call('list_tasks', { task_type: 'BACKUP', page_size: 50 });
  for (const { task_id, end_time } of tasks) {
    if (end_time !== null) continue;
    say('Waiting for a backup that is running already…');
    await followTask(call, { task_id, task_type: 'BACKUP' }, say);
  }
  const folder = to === undefined ? {} : { folder: resolve(to) };
  const { task_id } = await call('start_backup', { ...folder, ...(keep !== undefined && { keep }) });
  const task = await followTask(call, { task_id, task_type: 'BACKUP' }, say);
  say(task.error_message ?? task.status_message);
  return task.status === 'COMPLETED' ? 0 : 1;
}
