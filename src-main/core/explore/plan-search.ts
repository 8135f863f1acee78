import { AppError } from '../../contract/errors.ts';
import type { TextToFind } from '../enrichment/text-query.service.ts';
import type { LabelCondition } from '../ports/explored.ts';
import type { Filter } from './vql/filters.ts';

/** What a store and the models of a dataset are asked for. */
interface SearchParts {
  labels: LabelCondition[];
  texts: TextToFind[];
  /** Id of an item or object to compare with. */
  like: string | undefined;
}

/** Sorts the filters of a query by who answers them. @throws AppError `not_implemented` for what no dataset can answer yet. */
export function planSearch(filters: readonly Filter[]): SearchParts {
  const parts: SearchParts = { labels: [], texts: [], like: undefined };
  for (const filter of filters) place(filter, parts);
  return parts;
}

function place({ name, body }: Filter, parts: SearchParts): void {
  if (name === 'labels') parts.labels.push({ op: body.op, labels: body.value });
  else if (name === 'text' && body.op === 'semantic') {
    const maxDistance = body.threshold === undefined ? null : 1 - body.threshold;
    parts.texts.push({ of: 'items', value: body.value, max_distance: maxDistance });
  } else if (name === 'captions' && body.op === 'semantic') {
    parts.texts.push({ of: 'captions', value: body.value, max_distance: body.below ?? null });
  } else if (name === 'similarity' && body.op === 'media' && body.threshold === undefined && parts.like === undefined) {
    parts.like = body.value;
  } else
    throw new AppError(
      'not_implemented',
      `Filtering by ${name} with op ${'op' in body ? body.op : ''} is not available in this version`,
    );
}
