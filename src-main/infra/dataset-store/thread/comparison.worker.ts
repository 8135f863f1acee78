import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { serve } from '../../threads/thread-port.ts';
import { StateComparer } from '../snapshots/state-comparer.ts';
import { COMPARISON } from './thread-ports.ts';

/** Entry of the thread that compares dataset states. */
const { temporaryFolder } = workerData as { temporaryFolder: string };
const comparer = new StateComparer(temporaryFolder);

serveThread({
  methods: serve(COMPARISON, comparer),
  inOrder: true,
  asError: asAppError,
  onClose: () => comparer.close(),
});
