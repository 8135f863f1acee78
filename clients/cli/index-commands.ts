import { basename, resolve } from 'node:path';
import type { Argv } from 'yargs';
import type { Dataset, Vitrine } from '../typescript/index.ts';
import { filesIn } from '../typescript/local.ts';
import { type Connection, withServer } from './connect.ts';
import { print, printResult, withProgress } from './output.ts';

/** An address of object storage, such as `s3://bucket/folder`. */
const ADDRESS = /^[a-z0-9]+:\/\//;

/** Commands that create datasets and add media to them. */
export function indexCommands(cli: Argv<Connection>): void {
  cli.command(
    'index <folder>',
    'Create a dataset from a folder and wait until it is indexed',
    (options) =>
      options
        .positional('folder', { type: 'string', demandOption: true, describe: 'Folder, or address of object storage' })
        .option('name', { type: 'string', describe: 'Name of the dataset (default: that of the folder)' })
        .option('encoder', { type: 'string', describe: 'Semantic encoder: a model id or "none"' })
        .option('folder-labels', { type: 'boolean', default: false, describe: 'Use names of folders as labels' })
        .option('upload', { type: 'boolean', default: false, describe: 'Send the files to a server elsewhere' }),
    ({ folder, name, encoder, folderLabels, upload, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const path = ADDRESS.test(folder) ? folder : resolve(folder);
        const options = {
          name: name ?? basename(path),
          path,
          ...(encoder !== undefined && { encoder }),
          ...(folderLabels && { labels_from: 'folders' as const }),
        };
        const dataset = await withProgress(connection.json, async (progress) => {
          const onProgress = (state: Dataset) => progress.update(state.progress, state.status_new);
          if (!upload) return vitrine.index(options, { onProgress });
          const { dataset_id } = await vitrine.upload(options.name, filesIn(path), {
            onProgress: ({ files }) => progress.update(0, `${files} files sent`),
          });
          return vitrine.waitForDataset(dataset_id, { onProgress });
        });
        printDataset(connection.json, dataset);
      }),
  );
  cli.command(
    'add <dataset> <folder>',
    'Add media from a folder to a dataset and cluster it again',
    (options) =>
      options
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .positional('folder', { type: 'string', demandOption: true, describe: 'Folder, or address of object storage' }),
    ({ dataset, folder, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const path = ADDRESS.test(folder) ? folder : resolve(folder);
        const { id } = await vitrine.findDataset(dataset);
        await vitrine.api.add_media({ dataset_id: id, s3_uri: path, auto_reindex: true });
        printDataset(connection.json, await waitWithProgress(vitrine, id, connection.json));
      }),
  );
}

function waitWithProgress(vitrine: Vitrine, datasetId: string, isJson: boolean): Promise<Dataset> {
  return withProgress(isJson, (progress) =>
    vitrine.waitForDataset(datasetId, {
      onProgress: (state) => progress.update(state.progress, state.status_new),
    }),
  );
}

function printDataset(isJson: boolean, dataset: Dataset): void {
  printResult(isJson, dataset, ({ id, display_name, status_new, n_images, n_videos, n_file_errors }) => {
    const problems = n_file_errors > 0 ? `, ${n_file_errors} files that cannot be used` : '';
    print(`${display_name} is ${status_new}: ${n_images} images, ${n_videos} videos${problems}`);
    print(id);
  });
}
