import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { onCurrentIndex } from '../indexing/on-current-index.ts';
import type { ProjectionJobs } from '../ports/projection.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition } from '../tasks/define-task.ts';

type NoInput = Record<string, never>;

/** Computes the map positions of indexed items: [Note: Projection]. The task runs in the background. An interrupted run starts again. */
export function defineProjectTask({
  datasets,
  localJobs,
}: {
  datasets: DatasetCatalog;
  localJobs: ProjectionJobs;
}): TaskDefinition<NoInput, NoInput> {
  return defineTask<NoInput, NoInput>({
    type: 'PROJECTION',
    input: z.object({}),
    lane: 'map',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      const requests = await store.map.prepareProjections();
      const total = requests.reduce((sum, { count }) => sum + count, 0);
      task.beginStep(message('step_map'), { from: 0, to: 0.99 }, total);
      let done = 0;
      for (const request of requests) {
        const { count, space, entity_type } = request;
        const again = async () =>
          (await store.map.prepareProjections()).find((one) => one.space === space && one.entity_type === entity_type);
        const projection = await onCurrentIndex(request, again, (current) =>
          localJobs.project(current, {
            signal: task.signal,
            onProgress: (fraction) => task.reportDone(done + Math.round(fraction * count)),
          }),
        );
        if (projection) await store.map.publishProjection(projection);
        done += count;
      }
      const outcome =
        total === 0 ? message('task_map_empty') : message('task_map_computed', { items: counted('n_items', total) });
      task.commit(outcome, () => undefined);
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'keep', begin: () => undefined },
  });
}
