import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { StateComparer } from '../snapshots/state-comparer.ts';

/** Entry of the thread that compares dataset states. */
const { temporaryFolder } = workerData as { temporaryFolder: string };
const comparer = new StateComparer(temporaryFolder);

serveThread({ methods: () => [comparer], inOrder: true, asError: asAppError, onClose: () => comparer.close() });
