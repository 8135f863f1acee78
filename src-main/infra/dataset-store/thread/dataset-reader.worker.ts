import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { type WantedIssues, wantedIssues } from '../read/issues/wanted-issues.ts';
import { LocalDatasetReader } from './local-dataset-reader.ts';
import type { ReaderStart } from './store-location.ts';

/** A reading thread's entry. */
let opened: LocalDatasetReader | undefined;

function open(): LocalDatasetReader {
  opened ??= new LocalDatasetReader(workerData as ReaderStart);
  return opened;
}

/** Opens the dataset with the first piece, as calls do. */
function* makeIssues(wanted: readonly WantedIssues[]): Generator<void> {
  yield* open().makeIssues(wanted);
}

serveThread({
  methods: () => [open()],
  inOrder: true,
  around: (run) => open().atOneMoment(run),
  ahead: (method, args) => {
    const wanted = wantedIssues(method, args);
    return wanted && makeIssues(wanted);
  },
  asError: asAppError,
  onClose: () => opened?.close(),
});
