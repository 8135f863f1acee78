import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Slot } from './worker-queue.ts';

const MAX_DEATHS = 2;

/** A job without items. */
export interface WholeJob {
  kind: string;
  /** @param deaths How many processes of this job have died. */
  payload(deaths: number): object;
  /** Completes "The process that … stopped twice.". */
  doing: string;
  /** Whether the job runs a model: a process that is silent for too long was then stopped by its model, and is not started again. */
  runsModel?: boolean;
  onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * Runs a job without items; a process that dies is restarted once for it.
 * @throws AppError of the job; `unavailable` when a model does not finish; `internal` when the process died twice.
 */
export async function runWhole<Result>(slot: Slot, job: WholeJob): Promise<Result> {
  const { kind, payload, doing, runsModel = false, onProgress } = job;
  for (let deaths = 0; deaths < MAX_DEATHS; deaths += 1) {
    const outcome = await slot.run(kind, payload(deaths), { onProgress: (fraction) => onProgress?.(fraction) });
    if (outcome.type === 'done') return outcome.result as Result;
    if (outcome.type === 'failed') throw new AppError(outcome.code, outcome.reason);
    if (outcome.hung && runsModel) {
      throw new AppError('unavailable', message('process_model_endless'));
    }
  }
  throw new AppError('internal', message('process_stopped_twice', { work: doing }));
}
