import { join } from 'node:path';
import type { Log } from '../../../core/ports/log.ts';
import type { FoundChanges, SnapshotComparer } from '../../../core/ports/snapshots.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { Thread } from '../../threads/thread.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';
import type { StateComparer } from '../snapshots/state-comparer.ts';

const IDLE_CLOSE_MS = 60_000;

/** The methods of the comparison thread. */
type Comparisons = { list(...asked: Parameters<StateComparer['list']>): Promise<FoundChanges> };

/** Compares snapshots of all datasets in one thread, which ends when idle. */
export function createSnapshotComparer(options: {
  /** Path of the built `comparison.worker`. */
  entryFile: string;
  dataFolder: string;
  log: Log;
}): SnapshotComparer {
  const { entryFile, dataFolder, log } = options;
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const thread = new Thread<Comparisons>({
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
        return await thread.calls.list(generations.path(dataset_id, generation), query);
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
