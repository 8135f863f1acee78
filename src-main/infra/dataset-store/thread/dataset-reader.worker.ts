import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { LocalDatasetReader } from './local-dataset-reader.ts';
import type { ReaderStart } from './store-location.ts';

/** A reading thread's entry. */
let opened: LocalDatasetReader | undefined;

function open(): LocalDatasetReader {
  opened ??= new LocalDatasetReader(workerData as ReaderStart);
  return opened;
}

serveThread({
  methods: () => [open()],
  inOrder: true,
  around: (run) => open().atOneMoment(run),
  asError: asAppError,
  onClose: () => opened?.close(),
});
