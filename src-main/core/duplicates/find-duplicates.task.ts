import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { onCurrentIndex } from '../indexing/on-current-index.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { ModelRef } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import { counted } from '../tasks/amount.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';

/** Number of pairs per page. A process compares one page per call. */
const PAIRS_AT_ONCE = 128;
/** Maximum number of pages in progress per process. */
const PAGES_A_PROCESS = 2;
/** Share of the search for candidate pairs in the progress of the task, 0 … 1. */
const LOOKING = 0.2;

type NoInput = Record<string, never>;
type Run = TaskRun<NoInput, NoInput>;

/**
 * Compares indexed items that are not compared yet: [Note: Near-duplicates]. The task runs in the background, and its results are visible
 * immediately. Each page of results is saved together with the progress, so an interrupted run loses only the pages in progress.
 */
export function defineFindDuplicatesTask(parts: {
  datasets: DatasetCatalog;
  localJobs: Pick<LocalJobs, 'size' | 'findCandidates' | 'compareImages'>;
  /** The encoder of the `looks` space. */
  looks: ModelRef;
}): TaskDefinition<NoInput, NoInput> {
  const { datasets, localJobs, looks } = parts;

  const look = async (task: Run, store: DatasetStore): Promise<void> => {
    const request = await store.duplicates.prepareCandidates();
    if (!request) return;
    task.beginStep(message('step_looking_for_similar_images'), { from: 0, to: LOOKING }, 100, 'percent');
    const found = await onCurrentIndex(
      request,
      () => store.duplicates.prepareCandidates(),
      (current) =>
        localJobs.findCandidates(current, looks, {
          signal: task.signal,
          onProgress: (fraction) => task.reportDone(Math.round(fraction * 100)),
        }),
    );
    if (found) await store.duplicates.beginComparisons(found);
  };

  /**
   * Saves pages in order while later pages are being compared, because pages differ in duration several times.
   * @returns The number of compared pairs.
   */
  const compare = async (task: Run, store: DatasetStore): Promise<number> => {
    const first = await store.duplicates.listComparisons(0, 1);
    if (!first) return 0;
    task.beginStep(message('step_comparing_similar_images'), { from: LOOKING, to: 0.99 }, first.total);
    let nCompared = 0;
    const running: Promise<number[]>[] = [];
    for (;;) {
      while (running.length < localJobs.size * PAGES_A_PROCESS) {
        const page = await store.duplicates.listComparisons(running.length * PAIRS_AT_ONCE, PAIRS_AT_ONCE);
        if (!page) break;
        const comparing = localJobs.compareImages(page.batch, task.signal);
        // A page that fails early is reported when it is awaited.
        comparing.catch(() => undefined);
        running.push(comparing);
      }
      const shares = await running.shift();
      if (!shares) return nCompared;
      await store.duplicates.saveComparisons(shares);
      nCompared += shares.length;
      task.reportSaved(first.done + nCompared);
    }
  };

  return defineTask<NoInput, NoInput>({
    type: 'DUPLICATE_DETECTION',
    input: z.object({}),
    lane: 'background',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const store = datasets.storeOf(datasets.getRow(task.dataset_id));
      await look(task, store);
      const nCompared = await compare(task, store);
      const pairs = counted('n_pairs', nCompared);
      task.commit(
        nCompared === 0 ? message('task_nothing_to_compare') : message('task_compared', { pairs }),
        () => undefined,
      );
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'keep', begin: () => undefined },
  });
}
