import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Argv } from 'yargs';
import { VitrineError } from '../typescript/index.ts';
import { type Connection, withServer } from './connect.ts';
import { print, printResult, withProgress } from './output.ts';
import { vqlOf, withQueryOptions } from './query-options.ts';

const FORMATS = ['json', 'parquet', 'coco', 'yolo', 'csv', 'image_folder'] as const;

/** The command that exports a dataset into a file. */
export function exportCommands(cli: Argv<Connection>): void {
  cli.command(
    'export <dataset>',
    'Export a dataset, or its matching items, into a ZIP',
    (options) =>
      withQueryOptions(options)
        .positional('dataset', { type: 'string', demandOption: true, describe: 'Name or id' })
        .option('to', { type: 'string', describe: 'File to write (default: NAME.zip here)' })
        .option('format', { choices: FORMATS, default: 'json' as const, describe: 'Format of the annotations' })
        .option('images', { type: 'boolean', default: false, describe: 'Include the images' })
        .option('split', { type: 'string', describe: 'Percentages of train, val and test, such as 80,10,10' })
        .option('seed', { type: 'number', describe: 'Seed of the split' }),
    ({ dataset, to, format, images, split, seed, label, issue, vql, ...connection }) =>
      withServer(connection, async (vitrine) => {
        const { id, display_name } = await vitrine.findDataset(dataset);
        const filters = vqlOf({ label, issue, vql });
        const exported = await withProgress(connection.json, (progress) =>
          vitrine.export(
            {
              dataset_id: id,
              export_format: format,
              include_images: images,
              ...(split !== undefined && { split }),
              ...(seed !== undefined && { seed }),
              ...(filters !== undefined && { vql: filters }),
            },
            { onProgress: (task) => progress.update(task.progress, 'Exporting') },
          ),
        );
        const file = resolve(to ?? `${display_name.replace(/[/\\:]/g, '-')}.zip`);
        const { body } = await vitrine.download(exported.download_uri ?? '');
        if (body === null) throw new VitrineError('not_found', 404, 'The export has no file');
        await pipeline(body, createWriteStream(file));
        printResult(connection.json, { ...exported, file }, ({ entities_count }) =>
          print(`Exported ${entities_count} items to ${file}`),
        );
      }),
  );
}
