import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { FailedImage } from '../../core/ports/image.ts';
import { PROCESSOR, type SessionSettings } from '../inference/session-settings.ts';
import type { JobListeners } from './compute-process.ts';
import type { Slot } from './worker-queue.ts';

const DEATHS_TO_SET_ASIDE = 2;
const MAX_FRUITLESS_DEATHS = 3;
/** If this many processes hang in models without finishing an image in between, the cause is not an image. */
const MAX_HUNG_MODELS = 3;
/** Share of a batch's timeout that applies to a single image, which finishes sooner. */
const PATIENCE_ALONE = 0.25;

const STOPPED_TWICE = message('file_stopped_process');
const ENDLESS_HERE = message('model_endless');

/** Describes how the items of a call are processed. */
export interface ItemJob {
  kind: 'describe_images' | 'apply_models' | 'apply_to_crops';
  /** Returns the payload in addition to the items, after this many processes of the call have died. */
  parts(deaths: number): object;
  /** Receives the result of a process that has processed its items. */
  onDone(result: unknown): void;
}

/**
 * Processes images on one slot and ensures that every item ends in one result, even if processes die. Finished items are never processed
 * again. Items that a process had started when it died are run again one by one; an item that again ends its process is set aside as
 * `crashed`, with the model at fault if it is known. Items that had not been started are not affected.
 * @returns Results in the order of `items`: the result or the failure of each.
 * @throws AppError of the job as a whole (no model, no process, a model that does not finish).
 */
export async function runItems<Result>(
  slot: Slot,
  items: readonly { key: number }[],
  job: ItemJob,
): Promise<(Result | FailedImage)[]> {
  const results: (Result | FailedImage | undefined)[] = items.map(() => undefined);
  const deathsOfItem = new Map<number, number>();
  let rest = items.map((_, position) => position);
  let suspects: number[] = [];
  let fruitlessDeaths = 0;
  let deaths = 0;
  let hungInARow = 0;

  while (rest.length > 0 || suspects.length > 0) {
    const batch = suspects.length > 0 ? suspects.slice(0, 1) : rest;
    const started = new Set<number>();
    const payload = { items: batch.flatMap((position) => items[position] ?? []), ...job.parts(deaths) };
    const listeners: JobListeners = {
      onStarted: (index) => {
        const position = batch[index];
        if (position !== undefined) started.add(position);
      },
      onFinished: (index, result) => {
        const position = batch[index];
        if (position !== undefined) results[position] = result as Result;
        hungInARow = 0;
      },
    };
    const outcome = await slot.run(job.kind, payload, listeners, hungInARow > 0 ? PATIENCE_ALONE : 1);
    if (outcome.type === 'failed') throw new AppError(outcome.code, outcome.reason);
    if (outcome.type === 'done') job.onDone(outcome.result);
    else deaths += 1;
    const hung = outcome.type === 'died' ? outcome.hung : undefined;
    if (hung === 'applying') hungInARow += 1;
    if (hung === 'loading' || hungInARow >= MAX_HUNG_MODELS) {
      throw new AppError('unavailable', message('process_model_endless'));
    }

    const unfinished = batch.filter((position) => results[position] === undefined);
    if (outcome.type === 'done' && unfinished.length > 0) {
      throw new AppError('internal', message('process_left_images_out'));
    }
    const blamed = new Set(unfinished.filter((position) => started.has(position)));
    fruitlessDeaths = blamed.size === 0 && unfinished.length === batch.length ? fruitlessDeaths + 1 : 0;
    if (fruitlessDeaths >= MAX_FRUITLESS_DEATHS) {
      throw new AppError('unavailable', message('process_stops_before_reading'));
    }
    for (const position of blamed) {
      const deathsHere = (deathsOfItem.get(position) ?? 0) + 1;
      deathsOfItem.set(position, deathsHere);
      if (batch.length === 1 && deathsHere >= DEATHS_TO_SET_ASIDE) {
        results[position] = crashed(items[position], hung === 'applying' ? ENDLESS_HERE : STOPPED_TWICE);
      }
    }
    suspects = [...suspects, ...blamed].filter(
      (position, at, all) => results[position] === undefined && all.indexOf(position) === at,
    );
    rest = rest.filter((position) => results[position] === undefined && !blamed.has(position));
  }
  return results.flatMap((result) => result ?? []);
}

function crashed(item: { key: number } | undefined, reason: Message): FailedImage {
  return {
    key: item?.key ?? -1,
    ok: false,
    kind: 'crashed',
    reason,
  };
}

/** Returns the settings of a job after processes of it have died: a device whose driver may have ended them is not used again. */
export function saferAfter(deaths: number, session: SessionSettings): SessionSettings {
  return deaths === 0 ? session : { ...session, executionProviders: [PROCESSOR] };
}
