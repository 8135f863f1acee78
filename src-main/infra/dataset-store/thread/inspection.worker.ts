import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { AppError } from '../../../contract/errors.ts';
import type { Inspection, InspectionDepth } from '../../../core/ports/damage.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import { createPace } from '../../files/read-pace.ts';
import { WorkPace } from '../../giving-way/work-pace.ts';
import { asAppError, isUpToDate } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { serve } from '../../threads/thread-port.ts';
import { createEngineMemories } from '../../vectors/open-engine.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';
import { inspectFolder, inspectGeneration } from '../disk/inspect-generation.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { openReaders } from './open-readers.ts';
import { INSPECTION, type InspectionStart } from './thread-ports.ts';

/** Entry of the thread that inspects all datasets in sequence, each over a read-only connection. */
const { dataFolder, claimed } = workerData as InspectionStart;
const workPace = new WorkPace(claimed);
const generations = new GenerationFolders(join(dataFolder, 'datasets'));
/** An inspection loads no vectors, so all datasets can share the memories. */
const memories = createEngineMemories();

async function inspect(
  { dataset_id, generation }: { dataset_id: string; generation: number },
  depth: InspectionDepth,
  pace: Pace,
): Promise<Inspection | undefined> {
  const folder = generations.path(dataset_id, generation);
  const wrong = inspectFolder(folder);
  if (wrong !== undefined) throw new AppError('damaged', wrong);
  const readers = openReaders({ dataset_id, dataFolder, folder, memories });
  try {
    if (!isUpToDate(readers.db, datasetMigrations)) return undefined;
    const damages = await inspectGeneration({ ...readers, folder, dataFolder }, depth, pace);
    // Counting reads files that may be damaged.
    return { damages, counts: damages.length === 0 ? readers.counter.counts() : undefined };
  } finally {
    await readers.engine.close();
    readers.db.close();
  }
}

const methods = serve(INSPECTION, {
  inspect: async (dataset, depth, megabytesPerS) => {
    let readBytes = 0;
    const onBytes = (bytes: number) => {
      readBytes += bytes;
    };
    const pace = createPace({
      // Somebody may wait for a quick inspection.
      ...(depth === 'whole' && { turn: () => workPace.turn() }),
      ...(megabytesPerS !== undefined && { megabytes_per_s: megabytesPerS }),
      onBytes,
    });
    return { inspection: await inspect(dataset, depth, pace), read_bytes: readBytes };
  },
});

serveThread({ methods, inOrder: true, asError: asAppError });
