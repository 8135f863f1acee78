import type { DatasetInspector, InspectionDepth } from '../../../core/ports/damage.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { Claims } from '../../giving-way/claims.ts';
import { SEMI_SPACE_LIMIT } from '../../semi-space.ts';
import { Thread } from '../../threads/thread.ts';
import { callsOf } from '../../threads/thread-port.ts';
import { INSPECTION, type InspectionStart } from './thread-ports.ts';

/** Milliseconds after which an idle thread ends. A check inspects its next dataset sooner, and nothing else needs the thread. */
const IDLE_CLOSE_MS = 2000;

/** Inspects datasets in one thread per depth, so that a quick inspection does not wait for a slow one. A thread ends when idle. */
export function createDatasetInspector(options: {
  /** Path of the built `inspection.worker`. */
  entryFile: string;
  dataFolder: string;
  claims: Pick<Claims, 'memory'>;
  log: Log;
}): DatasetInspector {
  const { entryFile, dataFolder, claims, log } = options;
  const create = () => ({
    idle: undefined as NodeJS.Timeout | undefined,
    thread: new Thread({
      entryFile,
      name: 'inspection',
      workerData: (): InspectionStart => ({ dataFolder, claimed: claims.memory }),
      resourceLimits: SEMI_SPACE_LIMIT,
      onFailure: (error) => log.error({ err: error }, 'the inspection thread failed'),
    }),
  });
  const threads: Record<InspectionDepth, ReturnType<typeof create>> = { quick: create(), whole: create() };
  return {
    inspect: async (dataset, depth, limits) => {
      const own = threads[depth];
      const { thread } = own;
      const end = () => void thread.end();
      clearTimeout(own.idle);
      limits?.signal.throwIfAborted();
      limits?.signal.addEventListener('abort', end, { once: true });
      try {
        const found = await callsOf(INSPECTION, thread).inspect(dataset, depth, limits?.megabytes_per_s);
        limits?.onBytes?.(found.read_bytes);
        return found.inspection;
      } finally {
        limits?.signal.removeEventListener('abort', end);
        clearTimeout(own.idle);
        own.idle = setTimeout(() => void thread.close(), IDLE_CLOSE_MS).unref();
      }
    },
    close: async () => {
      for (const { idle, thread } of Object.values(threads)) {
        clearTimeout(idle);
        await thread.end();
      }
    },
  };
}
