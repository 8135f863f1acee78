import { setTimeout as wait } from 'node:timers/promises';
import type { MessageCode } from '../contract/messages.ts';
import type { Dataset } from '../contract/schemas/dataset.ts';
import { type Caller, followTask } from './caller.ts';

const POLL_MS = 500;
/** Codes of findings about data that cannot be computed again. */
const LOSSES: readonly MessageCode[] = ['originals_missing', 'originals_damaged', 'snapshots_damaged'];
const EXIT = { whole: 0, lost: 2, not_checked: 3 };

/**
 * The command `npm run check`: checks all data in the data folder, waits until damaged data is computed again, and prints the findings.
 * @param options `json`: print a single JSON object instead of lines.
 * @returns The exit code: 0 when nothing is lost, 2 when something is, 3 when nothing is but not all datasets could be checked.
 */
export async function checkData(
  call: Caller,
  options: { json: boolean },
  print: (line: string) => void,
): Promise<number> {
  const say = options.json ? () => undefined : print;
  const { task_id } = await call('check_data', {});
  const task = await followTask(call, { task_id, task_type: 'DATA_CHECK' }, say);
  const { check } = await call('get_check', {});
  const { damaged = [], n_datasets = 0, n_busy = 0 } = check ?? {};
  for (const { name, problems } of damaged) for (const problem of problems) say(`${name}: ${problem}`);
  const inError = (await settled(call, say)).filter(({ status_new }) => status_new === 'ERROR');
  for (const { display_name, fatal_error_msg } of inError) say(`${display_name}: ${fatal_error_msg ?? 'in error'}`);
  const events = (await call('get_recovery', {})).events.filter(({ acknowledged }) => !acknowledged);
  for (const { kind, name, detail } of events) say(`${kind}: ${name}: ${detail}`);
  say(`${task.error_message ?? task.status_message}, ${inError.length} in error`);

  const isLost =
    task.status !== 'COMPLETED' ||
    inError.length > 0 ||
    damaged.some(({ findings }) => findings.some(({ code }) => LOSSES.some((loss) => loss === code)));
  const exitCode = isLost ? EXIT.lost : n_busy > 0 ? EXIT.not_checked : EXIT.whole;
  if (options.json) {
    const failed = inError.map(({ id, display_name, fatal_error_msg }) => ({ id, display_name, fatal_error_msg }));
    print(JSON.stringify({ exit_code: exitCode, task, n_datasets, n_busy, damaged, in_error: failed, events }));
  }
  return exitCode;
}

/** Waits until no dataset is being indexed, because the inspection at start may have started a repair before the check. */
async function settled(call: Caller, say: (line: string) => void): Promise<Dataset[]> {
  const isBusy = ({ status_new }: Dataset) => status_new === 'INDEXING' || status_new === 'READ ONLY';
  for (let isReported = false; ; await wait(POLL_MS)) {
    const datasets = await call('list_datasets', {});
    if (!datasets.some(isBusy)) return datasets;
    if (!isReported) say('Computing damaged data again…');
    isReported = true;
  }
}
