import type { Filter, FilterBody } from '../../contract/vql/filters.ts';
import type { TextToFind } from '../enrichment/text-query.service.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import type { Condition } from '../ports/query.ts';

/** The filters of a query, grouped by the part that evaluates them. */
export interface SortedFilters {
  conditions: Condition[];
  /** Items or query images to compare with. */
  likes: FilterBody<'similarity'>[];
  /** Texts to find by words, and texts to compare by meaning, which the dataset's models convert to vectors first. */
  texts: TextToFind[];
}

export function sortFilters(filters: readonly Filter[], limits: IssueLimits): SortedFilters {
  const sorted: SortedFilters = { conditions: [], likes: [], texts: [] };
  for (const filter of filters) sortFilter(filter, limits, sorted);
  return sorted;
}

function sortFilter(filter: Filter, limits: IssueLimits, { conditions, likes, texts }: SortedFilters): void {
  const { name, body } = filter;
  switch (name) {
    case 'labels':
      conditions.push({ name, op: body.op, value: body.value });
      return;
    case 'folders':
    case 'files':
      conditions.push({ name, op: body.op, value: body.value });
      return;
    case 'captions':
      if (body.op === 'semantic') texts.push({ of: 'captions', value: body.value, max_distance: body.below ?? null });
      else conditions.push({ name, op: body.op, value: body.value });
      return;
    case 'tags':
      conditions.push({ name, op: body.op, value: body.value });
      return;
    case 'metadata':
      conditions.push({ name, ...body });
      return;
    case 'map':
      conditions.push({ name, map_id: body.map_id, value: body.value });
      return;
    case 'clusters':
    case 'media':
      conditions.push({ name, value: body.value });
      return;
    case 'excluded':
      // No other query finds excluded items.
      if (body.value) conditions.push({ name });
      return;
    case 'media_type':
      conditions.push({ name, value: body.value });
      return;
    case 'issues': {
      const { value, mode, confidence_min: from, confidence_max: to } = body;
      conditions.push({ name, value, mode, from, to, limits });
      return;
    }
    case 'uniqueness':
    case 'duplicates':
      conditions.push({ name, value: body.value });
      return;
    case 'width':
    case 'height':
      conditions.push({ name, from: body.from, to: body.to });
      return;
    case 'created':
      conditions.push({ name, from: body.from, to: body.to });
      return;
    case 'text':
      texts.push({
        of: body.op === 'fts' ? 'words' : 'items',
        value: body.value,
        max_distance: body.threshold === undefined ? null : 1 - body.threshold,
      });
      return;
    case 'similarity':
      likes.push(body);
      return;
  }
}
