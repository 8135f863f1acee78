import type { Argv } from 'yargs';
import type { Connection } from './connect.ts';

/** Options that restrict a command to matching items. */
export interface QueryOptions {
  label?: string[] | undefined;
  issue?: string[] | undefined;
  vql?: string | undefined;
}

export function withQueryOptions<T extends Connection>(cli: Argv<T>) {
  return cli
    .option('label', { type: 'string', array: true, describe: 'Only items with one of these labels' })
    .option('issue', { type: 'string', array: true, describe: 'Only items with this issue, such as blur or mislabels' })
    .option('vql', { type: 'string', describe: 'Filters of the query language, as a JSON array' });
}

/** The filters of the options as VQL; undefined without any. */
export function vqlOf({ label, issue, vql }: QueryOptions, text?: string): unknown[] | undefined {
  const filters: unknown[] = vql === undefined ? [] : (JSON.parse(vql) as unknown[]);
  if (label !== undefined) filters.push({ labels: { op: 'one_of', value: label } });
  for (const value of issue ?? []) filters.push({ issues: { op: 'issue', value, mode: 'in' } });
  if (text !== undefined) filters.push({ text: { op: 'semantic', value: text } });
  return filters.length === 0 ? undefined : filters;
}
