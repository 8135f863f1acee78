import type { DatasetInspector } from '../../../core/ports/damage.ts';
import type { Log } from '../../../core/ports/log.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { Thread } from '../../threads/thread.ts';
import { callsOf } from '../../threads/thread-port.ts';
import { INSPECTION } from './thread-ports.ts';

/** Milliseconds after which the idle thread ends. A check inspects its next dataset sooner, and nothing else needs the thread. */
const IDLE_CLOSE_MS = 2000;

/** Inspects all datasets in one thread, which ends when idle. */
export function createDatasetInspector(options: {
  /** Path of the built `inspection.worker`. */
  entryFile: string;
  dataFolder: string;
  log: Log;
}): DatasetInspector {
  const { entryFile, dataFolder, log } = options;
  const thread = new Thread({
    entryFile,
    name: 'inspection',
    workerData: () => ({ dataFolder }),
    resourceLimits: SEMI_SPACE_LIMIT,
    onFailure: (error) => log.error({ err: error }, 'the inspection thread failed'),
  });
  let idle: NodeJS.Timeout | undefined;
  return {
    inspect: async (dataset, depth) => {
      clearTimeout(idle);
      try {
        return await callsOf(INSPECTION, thread).inspect(dataset, depth);
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
