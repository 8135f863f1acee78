import { AppError } from '../../contract/errors.ts';
import type { EncoderSpec, FailedImage, ImageRequest } from '../../core/compute.port.ts';
import type { Slot } from './process-lane.ts';

const DEATHS_TO_SET_ASIDE = 2;
const MAX_FRUITLESS_DEATHS = 3;

/**
 * Describes images on one slot and sees to it that every item ends in one result, whatever dies on the way. Finished items are never
 * done again. Items that a process had in hand when it died are run again one by one; one that again ends the process it is alone in is
 * set aside as `crashed`. Items that had not been begun are none the worse.
 *
 * @param kind What is made of each item: a `Result`, or its failure.
 * @returns Results in the order of `items`.
 * @throws AppError of the job as a whole (no model, no process).
 */
export async function describeOnSlot<Result>(
  slot: Slot,
  kind: 'describe_images' | 'describe_crops',
  items: ImageRequest[],
  encoder: EncoderSpec,
): Promise<(Result | FailedImage)[]> {
  const results: (Result | FailedImage | undefined)[] = items.map(() => undefined);
  const deaths_of_item = new Map<number, number>();
  let rest = items.map((_, position) => position);
  let suspects: number[] = [];
  let fruitless_deaths = 0;

  while (rest.length > 0 || suspects.length > 0) {
    const batch = suspects.length > 0 ? suspects.slice(0, 1) : rest;
    const begun = new Set<number>();
    const payload = { items: batch.flatMap((position) => items[position] ?? []), encoder };
    const outcome = await slot.run(kind, payload, {
      onStarted: (index) => {
        const position = batch[index];
        if (position !== undefined) begun.add(position);
      },
      onFinished: (index, result) => {
        const position = batch[index];
        if (position !== undefined) results[position] = result as Result;
      },
    });
    if (outcome.type === 'failed') throw new AppError(outcome.code, outcome.detail);

    const unfinished = batch.filter((position) => results[position] === undefined);
    if (outcome.type === 'done' && unfinished.length > 0)
      throw new AppError('internal', 'Images were left out unread.');
    const blamed = new Set(unfinished.filter((position) => begun.has(position)));
    fruitless_deaths = blamed.size === 0 && unfinished.length === batch.length ? fruitless_deaths + 1 : 0;
    if (fruitless_deaths >= MAX_FRUITLESS_DEATHS) {
      throw new AppError('unavailable', 'The process that reads images stops before it reads any.');
    }
    for (const position of blamed) {
      const deaths = (deaths_of_item.get(position) ?? 0) + 1;
      deaths_of_item.set(position, deaths);
      if (batch.length === 1 && deaths >= DEATHS_TO_SET_ASIDE) results[position] = crashed(items[position]);
    }
    suspects = [...suspects, ...blamed].filter(
      (position, at, all) => results[position] === undefined && all.indexOf(position) === at,
    );
    rest = rest.filter((position) => results[position] === undefined && !blamed.has(position));
  }
  return results.flatMap((result) => result ?? []);
}

function crashed(item: ImageRequest | undefined): FailedImage {
  return {
    key: item?.key ?? -1,
    ok: false,
    kind: 'crashed',
    reason: 'This file twice stopped the process that reads it',
  };
}
