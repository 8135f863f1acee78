import type { Argv } from 'yargs';
import { findLocal } from '../typescript/local.ts';
import { type Connection, withServer } from './connect.ts';
import { print, printResult, printTable } from './output.ts';

/** Commands about datasets as a whole. */
export function datasetCommands(cli: Argv<Connection>): void {
  cli.command(
    'status',
    'Whether a server runs here, and what it works on',
    (options) => options,
    (argv) => showStatus(argv),
  );
  cli.command(
    'datasets',
    'List the datasets',
    (options) => options,
    (argv) =>
      withServer(argv, async ({ api }) =>
        printResult(argv.json, await api.list_datasets(), (datasets) =>
          printTable(
            datasets.map(({ id, status_new, n_images, n_videos, display_name }) => [
              id,
              status_new,
              n_images,
              n_videos,
              display_name,
            ]),
          ),
        ),
      ),
  );
  cli.command(
    'snapshot <dataset>',
    'Create a snapshot of a dataset',
    (options) =>
      options
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .option('name', { type: 'string', describe: 'Name of the snapshot' }),
    (argv) =>
      withServer(argv, async (vitrine) => {
        const { id } = await vitrine.findDataset(argv.dataset);
        const input = { dataset_id: id, ...(argv.name !== undefined && { name: argv.name }) };
        printResult(argv.json, await vitrine.api.create_snapshot(input), ({ snapshot_id, snapshot_name }) =>
          print(`${snapshot_id}  ${snapshot_name}`),
        );
      }),
  );
}

async function showStatus({ json, data, url }: Connection): Promise<void> {
  const running = url === undefined && (await findLocal(data === undefined ? {} : { data })) === undefined;
  if (running) {
    printResult(json, { running: false }, () =>
      print('No server runs on this data folder. Start one with "vitrine serve".'),
    );
    return;
  }
  await withServer({ json, data, url }, async ({ api, baseUrl }) => {
    const { version } = await api.healthcheck();
    const datasets = await api.list_datasets();
    const tasks = (await api.list_tasks({ page_size: 50, with_service: true })).tasks.filter(
      ({ end_time }) => end_time === null,
    );
    printResult(json, { running: true, url: baseUrl, version, n_datasets: datasets.length, tasks }, () => {
      print(`Vitrine ${version} at ${baseUrl}: ${datasets.length === 1 ? '1 dataset' : `${datasets.length} datasets`}`);
      for (const { task_type, dataset_name, progress_percentage, step } of tasks)
        print(`${task_type} ${dataset_name} ${progress_percentage ?? 0} % ${step}`);
    });
  });
}
