import { setTimeout as wait } from 'node:timers/promises';
import type { Result } from './contract/contract.ts';
import type { CallContext, Core } from './core/core.ts';

const POLL_MS = 500;

/**
 * What `npm run check` does: looks at everything in the data folder, waits until what can be made again is, and says what it found.
 * @returns The exit code: 0 when all is whole now, 2 when something is lost.
 */
export async function checkData(core: Core, say: (line: string) => void): Promise<number> {
  const context: CallContext = { principal: core.localOwner(), signal: new AbortController().signal, baseUrl: '' };
  const call = <T>(operation: string) => core.invoke(operation, {}, context) as Promise<T>;
  const { n_datasets, damaged } = await call<Result<'check_data'>>('check_data');
  for (const { name, problems } of damaged) for (const problem of problems) say(`${name}: ${problem}`);
  let datasets = await call<Result<'list_datasets'>>('list_datasets');
  const isBusy = ({ status_new }: (typeof datasets)[number]) => status_new === 'INDEXING' || status_new === 'READ ONLY';
  // A start has begun to look by itself, and may have found it first.
  if (datasets.some(isBusy)) say('Making again what can be made again…');
  while (datasets.some(isBusy)) {
    await wait(POLL_MS);
    datasets = await call<Result<'list_datasets'>>('list_datasets');
  }
  const lost = datasets.filter(({ status_new }) => status_new === 'ERROR');
  for (const { display_name, fatal_error_msg } of lost) say(`${display_name}: ${fatal_error_msg ?? 'in error'}`);
  const { events } = await call<Result<'get_recovery'>>('get_recovery');
  for (const { kind, name, detail } of events.filter((event) => !event.acknowledged))
    say(`${kind}: ${name}: ${detail}`);
  say(`${n_datasets} datasets checked, ${damaged.length} damaged, ${lost.length} in error`);
  return lost.length === 0 ? 0 : 2;
}
