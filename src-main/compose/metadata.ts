import { defineImportMetadataTask } from '../core/metadata/import-metadata.task.ts';
import { MetadataService } from '../core/metadata/metadata.service.ts';
import { createValueFiles } from '../infra/files/value-files.ts';
import type { Datasets } from './datasets.ts';
import type { Platform } from './platform.ts';

/** Composes the services of custom metadata. */
export function composeMetadata(platform: Platform, { datasets, tasks, runner }: Datasets) {
  const files = createValueFiles(platform.folder.root, platform.openParquet);
  const task = defineImportMetadataTask({ datasets, tasks, files });
  runner.define(task);
  return { services: { metadata: new MetadataService({ ...platform, datasets, tasks, task, files }) } };
}
