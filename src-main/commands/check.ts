import { setTimeout as wait } from 'node:timers/promises';
import type { Dataset } from '../contract/schemas/dataset.ts';
import { type Caller, followTask } from './caller.ts';

const POLL_MS = 500;

/**
 * What `npm run check` does: looks at everything in the data folder, waits until what can be made again is, and says what it found.
 * @returns The exit code: 0 when all is whole now, 2 when something is lost.
 */
export async function checkData(call: Caller, say: (line: string) => void): Promise<number> {
  const { task_id } = await call('check_data', {});
  const task = await followTask(call, { task_id, task_type: 'DATA_CHECK' }, say);
  const { check } = await call('get_check', {});
  for (const { name, problems } of check?.damaged ?? []) for (const problem of problems) say(`${name}: ${problem}`);
  const datasets = await settled(call, say);
  const lost = datasets.filter(({ status_new }) => status_new === 'ERROR');
  for (const { display_name, fatal_error_msg } of lost) say(`${display_name}: ${fatal_error_msg ?? 'in error'}`);
  const { events } = await call('get_recovery', {});
  for (const { kind, name, detail } of events.filter((event) => !event.acknowledged))
    say(`${kind}: ${name}: ${detail}`);
  say(`${task.error_message ?? task.status_message}, ${lost.length} in error`);
  return task.status === 'COMPLETED' && lost.length === 0 ? 0 : 2;
}

/** A start has begun to look by itself, and may have found it first. */
async function settled(call: Caller, say: (line: string) => void): Promise<Dataset[]> {
  const isBusy = ({ status_new }: Dataset) => status_new === 'INDEXING' || status_new === 'READ ONLY';
  for (let told = false; ; await wait(POLL_MS)) {
    const datasets = await call('list_datasets', {});
    if (!datasets.some(isBusy)) return datasets;
    if (!told) say('Making again what can be made again…');
    told = true;
  }
}
