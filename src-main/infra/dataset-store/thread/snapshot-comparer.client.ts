import { join } from 'node:path';
import type { Log } from '../../../core/ports/log.ts';
import type { SnapshotComparer } from '../../../core/ports/snapshots.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { Thread } from '../../threads/thread.ts';
import { callsOf } from '../../threads/thread-port.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';
import { COMPARISON } from './thread-ports.ts';

const IDLE_CLOSE_MS = 60_000;

/** Compares snapshots of all datasets in one thread, which ends when idle. */
export function createSnapshotComparer(options: {
  /** Path of the built `comparison.worker`. */
  entryFile: string;
  dataFolder: string;
  log: Log;
}): SnapshotComparer {
  const { entryFile, dataFolder, log } = options;
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const thread = new Thread({
    entryFile,
    name: 'comparison',
    workerData: () => ({ temporaryFolder: join(dataFolder, 'temporary') }),
    resourceLimits: SEMI_SPACE_LIMIT,
    onFailure: (error) => log.error({ err: error }, 'the thread of comparisons failed'),
  });
  let idle: NodeJS.Timeout | undefined;
  return {
    list: async ({ dataset_id, generation }, query) => {
      clearTimeout(idle);
      try {
        return await callsOf(COMPARISON, thread).list(generations.path(dataset_id, generation), query);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => void thread.close(), IDLE_CLOSE_MS).unref();
      }
    },
    close: () => {
      clearTimeout(idle);
      return thread.end();
    },
  };
}
