import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { LocalDatasetWriter } from './local-dataset-writer.ts';
import type { StoreLocation } from './store-location.ts';

/** The writing thread's entry. */
let opened: LocalDatasetWriter | undefined;

serveThread({
  methods: () => {
    opened ??= new LocalDatasetWriter(workerData as StoreLocation);
    return [
      opened,
      opened.changes,
      opened.enrichment,
      opened.edits,
      opened.repair,
      opened.duplicates,
      opened.projection,
      opened.metadata,
      { open: () => undefined },
    ];
  },
  inOrder: true,
  asError: asAppError,
  onClose: () => opened?.close(),
});
