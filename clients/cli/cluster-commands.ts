import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Argv } from 'yargs';
import { openPromise } from 'yauzl';
import { VitrineError } from '../typescript/index.ts';
import { type Connection, withServer } from './connect.ts';
import { print, printResult, withProgress } from './output.ts';
import { vqlOf, withQueryOptions } from './query-options.ts';

const MANIFEST = 'manifest.parquet';
/** An address of object storage, such as `s3://bucket/folder`. */
const ADDRESS = /^[a-z0-9]+:\/\//;

/** Commands that hand a dataset to programs elsewhere, and import their results. */
export function clusterCommands(cli: Argv<Connection>): void {
  cli.command(
    'manifest <dataset> <folder>',
    `Write ${MANIFEST}, a list of the items with addresses of their images, for programs elsewhere`,
    (options) =>
      withQueryOptions(options)
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .positional('folder', { type: 'string', demandOption: true, describe: 'Folder to write into' }),
    ({ dataset, folder, label, issue, vql, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const { id } = await vitrine.findDataset(dataset);
        const filters = vqlOf({ label, issue, vql });
        const exported = await withProgress(connection.json, (progress) =>
          vitrine.export(
            { dataset_id: id, export_format: 'manifest', ...(filters !== undefined && { vql: filters }) },
            { onProgress: (task) => progress.update(task.progress, 'Exporting') },
          ),
        );
        const { body } = await vitrine.download(exported.download_uri ?? '');
        if (body === null) throw new VitrineError('not_found', 404, 'The export has no file');
        const file = join(resolve(folder), MANIFEST);
        await unpack(body, file);
        printResult(connection.json, { ...exported, file }, ({ entities_count }) =>
          print(`Listed ${entities_count} items in ${file}`),
        );
      }),
  );
  cli.command(
    'results <dataset> <folder>',
    'Import embeddings, labels, boxes or captions that were computed elsewhere, and wait',
    (options) =>
      options
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .positional('folder', {
          type: 'string',
          demandOption: true,
          describe: 'Folder with manifest.json, or address of object storage',
        }),
    ({ dataset, folder, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const { id } = await vitrine.findDataset(dataset);
        const location = ADDRESS.test(folder) ? folder : resolve(folder);
        const { task_id } = await vitrine.api.import_results({ dataset_id: id, location });
        const task = await withProgress(connection.json, (progress) =>
          vitrine.waitForTask(task_id, {
            onProgress: ({ progress_percentage, step }) => progress.update(progress_percentage ?? 0, step),
          }),
        );
        printResult(connection.json, task, ({ status_message }) => print(status_message));
      }),
  );
}

/** Unpacks the manifest from the ZIP of an export. */
async function unpack(body: ReadableStream, file: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'vitrine-'));
  try {
    const packed = join(temporary, 'export.zip');
    await pipeline(body, createWriteStream(packed));
    await mkdir(resolve(file, '..'), { recursive: true });
    const zip = await openPromise(packed, { autoClose: false });
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName !== MANIFEST) continue;
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file));
        return;
      }
    } finally {
      zip.close();
    }
    throw new VitrineError('not_found', 404, `The export has no ${MANIFEST}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
