import { join } from 'node:path';
import { BareExportService } from '../core/exports/bare-export.service.ts';
import { ExportService } from '../core/exports/export.service.ts';
import { defineExportTask } from '../core/exports/export.task.ts';
import { ExportKeeper } from '../core/exports/export-keeper.ts';
import { createExports } from '../infra/exports/exports.client.ts';
import type { Datasets } from './datasets.ts';
import type { Explore } from './explore.ts';
import type { Platform } from './platform.ts';

/** Services of exports. */
export type Exports = ReturnType<typeof composeExports>;

/** Composes the services of exports. */
export function composeExports(platform: Platform, datasets: Datasets, { planner, selections }: Explore) {
  const { folder, entries, settings, exportRows: rows } = platform;
  const exports = createExports({ ...platform, entryFile: entries.export, dataFolder: folder.root });
  const limits = () => settings.exports();
  const shared = { ...platform, ...datasets, planner, selections, exports, rows, limits };
  const task = defineExportTask(shared);
  const keeper = new ExportKeeper(shared);
  const service = new ExportService({ ...shared, keeper, task });
  const bareExports = new BareExportService({
    ...shared,
    whileReading: (context, work) => service.whileReading(context, work),
    temporaryFile: (name) => join(folder.temporary, name),
  });
  datasets.runner.define(task);
  return { keeper, services: { exports: service, bareExports } };
}
