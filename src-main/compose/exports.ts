import { join } from 'node:path';
import { BareExportService } from '../core/exports/bare-export.service.ts';
import { ExportRepository } from '../core/exports/export.repository.ts';
import { ExportService } from '../core/exports/export.service.ts';
import { defineExportTask } from '../core/exports/export.task.ts';
import { ExportKeeper } from '../core/exports/export-keeper.ts';
import { createExports } from '../infra/exports/exports.client.ts';
import type { Datasets } from './datasets.ts';
import type { Explore } from './explore.ts';
import type { Platform } from './platform.ts';

/** Composes the services of exports. */
export function composeExports(platform: Platform, datasets: Datasets, { planner, selections }: Explore) {
  const { catalog, folder, entries, settings } = platform;
  const exports = createExports({ ...platform, entryFile: entries.export, dataFolder: folder.root });
  const rows = new ExportRepository(catalog);
  const limits = () => settings.exports();
  const shared = { ...platform, ...datasets, planner, selections, exports, rows, limits };
  const task = defineExportTask(shared);
  const keeper = new ExportKeeper(shared);
  const service = new ExportService({ ...shared, keeper, task });
  const bareExports = new BareExportService({
    ...shared,
    readable: (context) => service.readable(context),
    temporaryFile: (name) => join(folder.temporary, name),
  });
  datasets.runner.define(task);
  return { keeper, services: { exports: service, bareExports } };
}
