import type { Ids } from '../../../core/ports/clock.ts';
import { idPrefix } from '../../../core/ports/item-ids.ts';
import { randomIds } from '../../clock.ts';

/** Creates ids for the items and objects of a dataset: UUIDs of version 4 that start like the dataset's id ([Note: Ids of items]). */
export function itemIds(datasetId: string): Ids {
  const prefix = idPrefix(datasetId);
  return { uuid: () => prefix + randomIds.uuid().slice(prefix.length) };
}
