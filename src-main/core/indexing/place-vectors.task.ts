import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import { PLACEMENTS, type Placement } from '../../contract/schemas/vectors.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { CopyJobs } from '../ports/vectors.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';

type PlacementInput = { placement: Placement };

/**
 * Copies the vectors of a dataset to the external engine, or deletes the copy there. Searches continue meanwhile. A copy that was interrupted
 * continues with the rows that are missing.
 */
export function definePlaceVectorsTask({
  datasets,
  localJobs,
}: {
  datasets: DatasetCatalog;
  localJobs: CopyJobs;
}): TaskDefinition<PlacementInput, Record<string, never>> {
  return defineTask<PlacementInput, Record<string, never>>({
    type: 'VECTOR_PLACEMENT',
    input: z.object({ placement: z.enum(PLACEMENTS) }),
    lane: 'map',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const { vectors } = datasets.storeOf(datasets.getRow(task.dataset_id));
      if (task.input.placement === 'built-in') {
        await vectors.deleteCopies();
        task.commit(message('task_vectors_built_in'), () => undefined);
        return;
      }
      const jobs = await vectors.prepareCopies();
      const total = jobs.reduce((sum, { count }) => sum + count, 0);
      task.beginStep(message('step_copying_vectors'), { from: 0, to: 0.99 }, total);
      let done = 0;
      for (const job of jobs) {
        const before = done;
        await localJobs.copyVectors(job, {
          signal: task.signal,
          onProgress: (fraction) => task.reportDone(before + Math.round(fraction * job.count)),
        });
        done += job.count;
      }
      task.commit(message('task_vectors_external'), () => undefined);
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'keep', begin: () => undefined },
  });
}
