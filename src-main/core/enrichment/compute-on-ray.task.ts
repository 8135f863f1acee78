import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Runner } from '../../contract/schemas/model-definition.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { BareExportService } from '../exports/bare-export.service.ts';
import { readChosen } from '../exports/chosen-text.ts';
import type { Ids } from '../ports/clock.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { ModelStore } from '../ports/model-store.ts';
import type { ExchangeFolder, ExchangeFolders, RayJobs, RayWork } from '../ports/ray.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../tasks/define-task.ts';
import { Closing } from '../tasks/task-run.ts';
import { findRayModel } from './ray-model.ts';
import type { ResultImportService } from './result-import.service.ts';

const input = z.object({
  location: z.string(),
  assume_role: z.string().nullable(),
  model_id: z.string(),
  use_gpu: z.boolean(),
  /** The selected items, and the generation of the dataset that has these rows; null for all items. */
  chosen: z.object({ rows: z.string(), generation: z.int() }).nullable(),
  /** Base URL by which the caller reached the service; addresses in the manifest start with it. */
  base_url: z.string(),
  /** Id of the user that addresses are signed for; empty for the local owner. */
  reader_id: z.string(),
  requested_by: z.string(),
});
export type ComputeOnRayInput = z.infer<typeof input>;

/** The job of the run, once its files are at the location. */
export interface ComputeOnRayCheckpoint {
  job_id?: string;
}

type Run = TaskRun<ComputeOnRayInput, ComputeOnRayCheckpoint>;

export interface RayTaskParts {
  datasets: DatasetCatalog;
  manifests: Pick<BareExportService, 'writeManifest'>;
  library: ModelLibrary;
  modelStore: Pick<ModelStore, 'fileOf' | 'listFiles'>;
  exchange: ExchangeFolders;
  ray: RayJobs;
  results: Pick<ResultImportService, 'queue' | 'isBlocked'>;
  removeFile: (path: string) => Promise<void>;
  ids: Ids;
}

const POLL_MS = 2000;
/** How long a cluster may be away while its job is followed. */
const PATIENCE_MS = 15 * 60_000;
const RESULTS = 'results';

/**
 * Applies a model on a Ray cluster: writes the manifest and the model to the location, submits the program as a job, follows the job and
 * queues the import of its results. The dataset stays usable. After a restart the task follows the job that it submitted.
 */
export function defineComputeOnRayTask(parts: RayTaskParts): TaskDefinition<ComputeOnRayInput, ComputeOnRayCheckpoint> {
  const { datasets, exchange, ids, library, ray, results } = parts;
  return defineTask<ComputeOnRayInput, ComputeOnRayCheckpoint>({
    type: 'RAY_RUN',
    input,
    lane: 'cluster',
    exclusive: false,
    isBackground: true,
    recovery: 'resume',
    run: async (task) => {
      const { location, assume_role, model_id, use_gpu, requested_by } = task.input;
      const folder = await exchange.open({ location, assume_role });
      let { job_id: jobId } = task.checkpoint;
      if (jobId === undefined) {
        task.beginStep(message('step_sending_to_ray'), { from: 0, to: 0.05 }, null);
        await sendManifest(parts, task, folder);
        await sendModel(parts, task, folder);
        jobId = `vitrine-${ids.uuid()}`;
        // Saved first: a run after a crash finds the job, or submits one with this id.
        task.saveCheckpoint({ job_id: jobId });
      }
      const [manifest, model] = [folder.addressOf('manifest.parquet'), folder.addressOf('model')];
      const work = { manifest, model, model_id, results: folder.addressOf(RESULTS), use_gpu };
      try {
        await submitAndFollow(ray, task, jobId, work);
      } catch (error) {
        const isAborted = task.signal.aborted && !(task.signal.reason instanceof Closing);
        if (isAborted) await stop(ray, jobId);
        throw error;
      }
      const { definition } = (await library.find(model_id)) ?? {};
      await untilFree(results, task);
      const outcome = message('task_ray_finished', { model: definition?.name ?? model_id });
      task.commit(outcome, () => {
        const at = { location: folder.addressOf(RESULTS), assume_role };
        results.queue(datasets.getRow(task.dataset_id), at, requested_by);
      });
    },
    undo: async ({ checkpoint }) => {
      if (checkpoint.job_id !== undefined) await stop(ray, checkpoint.job_id);
    },
    abort: { reason: STOPPED },
    onFailure: () => undefined,
    retry: { checkpoint: 'reset', begin: () => undefined },
  });
}

/** Waits while other tasks work on the dataset, which stays usable during the run. */
async function untilFree(results: RayTaskParts['results'], task: Run): Promise<void> {
  if (!results.isBlocked(task.dataset_id)) return;
  task.beginStep(message('step_waiting_for_dataset'), { from: 0.99, to: 0.99 }, null);
  while (results.isBlocked(task.dataset_id)) await sleep(POLL_MS, undefined, { signal: task.signal });
}

async function stop(ray: RayJobs, jobId: string): Promise<void> {
  await ray.stop(jobId).catch((error: unknown) => {
    // Nothing here depends on the job. On a cluster that cannot be reached it ends by itself.
    if (!(error instanceof AppError)) throw error;
  });
}

async function sendManifest(parts: RayTaskParts, task: Run, folder: ExchangeFolder): Promise<void> {
  const { base_url, reader_id, requested_by, chosen } = task.input;
  const principal = { user_id: reader_id, is_local_owner: reader_id === '' };
  const reader = { baseUrl: base_url, principal, exported_by: requested_by };
  if (chosen && parts.datasets.getRow(task.dataset_id).generation !== chosen.generation) {
    throw new AppError('conflict', message('ray_items_changed'));
  }
  const path = await parts.manifests.writeManifest(task.dataset_id, reader, {
    chosen: chosen && readChosen(chosen.rows),
    signal: task.signal,
    onProgress: (done, total) => task.reportDone(done, total),
  });
  try {
    await folder.store('manifest.parquet', path, task.signal);
  } finally {
    await parts.removeFile(path);
  }
}

/** Sends the files of the model's package, except graphs that only other models of the package run. */
async function sendModel({ library, modelStore }: RayTaskParts, task: Run, folder: ExchangeFolder): Promise<void> {
  const { runner, package: sent } = await findRayModel(library, task.input.model_id);
  const inPackage = (await library.list()).filter((known) => known.package.id === sent.id);
  const graphs = inPackage.flatMap((known) => graphsOf(known.definition.runner));
  const unused = new Set([...graphs, sent.joint_graph?.file]);
  if ('model_file' in runner) unused.delete(runner.model_file);
  for (const file of await modelStore.listFiles(sent.id)) {
    if (!unused.has(file)) await folder.store(`model/${file}`, modelStore.fileOf(sent.id, file), task.signal);
  }
}

function graphsOf(runner: Runner): string[] {
  if (runner.kind === 'zero_shot') return graphsOf(runner.encoder);
  const text = runner.kind === 'image_encoder' ? runner.text : undefined;
  return [...('model_file' in runner ? [runner.model_file] : []), ...(text ? [text.model_file] : [])];
}

/** Submits a job and waits until it has succeeded. @throws AppError. */
async function submitAndFollow(ray: RayJobs, task: Run, jobId: string, work: RayWork): Promise<void> {
  task.beginStep(message('step_waiting_for_ray'), { from: 0.05, to: 0.05 }, null);
  await patiently(task, () => ray.submit(jobId, work, task.signal));
  for (let isRunning = false; ; await sleep(POLL_MS, undefined, { signal: task.signal })) {
    const job = await patiently(task, () => ray.find(jobId, task.signal));
    if (!job) throw new AppError('not_found', message('ray_job_lost'));
    if (job.state === 'succeeded') return;
    if (job.state === 'failed') throw new AppError('unavailable', message('ray_job_failed', { reason: job.reason }));
    if (job.state === 'stopped') throw new AppError('unavailable', message('ray_job_stopped'));
    if (!job.progress) continue;
    const { n_done, n_total } = job.progress;
    if (!isRunning) task.beginStep(message('step_computing_on_ray'), { from: 0.05, to: 0.99 }, n_total);
    isRunning = true;
    task.reportDone(n_done, n_total);
  }
}

/** Asks the cluster again while it does not answer or has no node that is ready for jobs. */
async function patiently<T>({ signal }: Run, ask: () => Promise<T>): Promise<T> {
  for (let awayMs = 0; ; awayMs += POLL_MS) {
    try {
      return await ask();
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'unavailable';
      if (!isAway || awayMs >= PATIENCE_MS) throw error;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}
