import type { Argv } from 'yargs';
import { type Connection, withServer } from './connect.ts';
import { print, printResult, printTable } from './output.ts';
import { vqlOf, withQueryOptions } from './query-options.ts';

/** Commands that find items. */
export function searchCommands(cli: Argv<Connection>): void {
  cli.command(
    'search <dataset> [text]',
    'Find items by words, labels, issues or filters',
    (options) =>
      withQueryOptions(options)
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .positional('text', { type: 'string', describe: 'What the images show' })
        .option('limit', { type: 'number', default: 20, describe: 'Maximum number of items, up to 500' }),
    ({ dataset, text, limit, label, issue, vql, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const { id } = await vitrine.findDataset(dataset);
        const filters = vqlOf({ label, issue, vql }, text);
        const page = await vitrine.api.list_items({
          dataset_id: id,
          page_size: limit,
          ...(filters !== undefined && { vql: filters }),
        });
        printResult(connection.json, page, ({ items, total }) => {
          printTable(
            items.map(({ media_id, relevance_score, file_name }) => [
              media_id,
              relevance_score === null ? '' : relevance_score.toFixed(3),
              file_name,
            ]),
          );
          print(`${items.length} of ${total}`);
        });
      }),
  );
  cli.command(
    'duplicates <dataset>',
    'List groups of duplicates, the copy to keep first; with --exclude, exclude the other copies',
    (options) =>
      options
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .option('threshold', { type: 'number', default: 0.95, describe: '1, 0.95, 0.9, 0.85 or 0.8' })
        .option('limit', { type: 'number', default: 100, describe: 'Maximum number of groups, up to 100' })
        .option('exclude', { type: 'boolean', default: false, describe: 'Exclude all copies but one; can be undone' }),
    ({ dataset, threshold, limit, exclude, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const { id } = await vitrine.findDataset(dataset);
        const query = { dataset_id: id, duplicate_threshold: threshold };
        if (exclude) {
          const outcome = await vitrine.api.apply_review({ ...query, kind: 'duplicates' });
          printResult(connection.json, outcome, ({ n_changed, n_entries }) =>
            print(`Excluded ${n_changed} copies of ${n_entries} groups`),
          );
          return;
        }
        const found = await vitrine.api.list_duplicates({ ...query, page_size: limit });
        printResult(connection.json, found, ({ groups, total_groups }) => {
          for (const { items } of groups) {
            for (const [at, { file_path, confidence }] of items.entries())
              print(`${at === 0 ? 'keep' : `  ${confidence.toFixed(2)}`}  ${file_path}`);
          }
          print(`${groups.length} of ${total_groups} groups`);
        });
      }),
  );
}
