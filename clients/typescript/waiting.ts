import type { Api } from './api.ts';
import type { Dataset, ExportTask, Task } from './api-types.ts';
import { pause } from './pause.ts';
import { VitrineError } from './vitrine-error.ts';

const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1000;
const TASKS_PER_PAGE = 50;

export interface WaitOptions<State> {
  signal?: AbortSignal;
  /** Called with each state that was read, the last one included. */
  onProgress?: (state: State) => void;
}

/** Reads a state until it is final, at first often, later once per second. @throws The signal's reason when it fires. */
async function poll<State>(
  read: () => Promise<State>,
  isFinal: (state: State) => boolean,
  { signal, onProgress }: WaitOptions<State>,
): Promise<State> {
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(1.5 * delayMs, MAX_POLL_MS)) {
    signal?.throwIfAborted();
    const state = await read();
    onProgress?.(state);
    if (isFinal(state)) return state;
    await pause(delayMs, signal);
  }
}

/** Waits until a dataset is neither indexed nor changed. @throws VitrineError `failed` when its status is ERROR. */
export async function waitForDataset(
  api: Api,
  datasetId: string,
  options: WaitOptions<Dataset> = {},
): Promise<Dataset> {
  const dataset = await poll(
    () => api.get_dataset({ dataset_id: datasetId }, signalOf(options)),
    ({ status_new }) => status_new !== 'INDEXING' && status_new !== 'READ ONLY',
    options,
  );
  if (dataset.status_new === 'ERROR') throw new VitrineError('failed', 200, dataset.fatal_error_msg ?? 'It failed');
  return dataset;
}

/** Waits until a task has ended. @throws VitrineError `failed` or `aborted` when it did not complete; `not_found`. */
export async function waitForTask(api: Api, taskId: string, options: WaitOptions<Task> = {}): Promise<Task> {
  const task = await poll(
    () => findTask(api, taskId, options),
    ({ end_time }) => end_time !== null,
    options,
  );
  if (task.status === 'COMPLETED') return task;
  throw new VitrineError(task.status.toLowerCase(), 200, task.error_message ?? task.status_message);
}

async function findTask(api: Api, taskId: string, options: WaitOptions<Task>): Promise<Task> {
  for (let page = 1; ; page += 1) {
    const { tasks } = await api.list_tasks({ page, page_size: TASKS_PER_PAGE, with_service: true }, signalOf(options));
    const found = tasks.find(({ task_id }) => task_id === taskId);
    if (found) return found;
    if (tasks.length < TASKS_PER_PAGE) throw new VitrineError('not_found', 404, 'There is no such task');
  }
}

/** Waits until an export has ended. @throws VitrineError `failed` or `rejected`. */
export async function waitForExport(
  api: Api,
  started: Pick<ExportTask, 'id' | 'dataset_id' | 'status' | 'result_message'>,
  options: WaitOptions<ExportTask> = {},
): Promise<ExportTask> {
  if (started.status === 'REJECTED') throw new VitrineError('rejected', 200, started.result_message);
  const input = { dataset_id: started.dataset_id, export_task_id: started.id };
  const ended = await poll(
    () => api.get_export_status(input, signalOf(options)),
    ({ status }) => status !== 'INIT' && status !== 'IN_PROGRESS',
    options,
  );
  if (ended.status === 'COMPLETED') return ended;
  throw new VitrineError(ended.status.toLowerCase(), 200, ended.result_message);
}

function signalOf({ signal }: { signal?: AbortSignal }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
