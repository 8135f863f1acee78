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

/** Separates the filters that compare from those that are conditions as they are. */
export function sortFilters(filters: readonly Filter[], limits: IssueLimits): SortedFilters {
  const sorted: SortedFilters = { conditions: [], likes: [], texts: [] };
  for (const { name, body } of filters) {
    if (name === 'similarity') sorted.likes.push(body);
    else if (name === 'text') {
      const maxDistance = body.threshold === undefined ? null : 1 - body.threshold;
      sorted.texts.push({ of: body.op === 'fts' ? 'words' : 'items', value: body.value, max_distance: maxDistance });
    } else if (name === 'captions' && body.op === 'semantic') {
      sorted.texts.push({ of: 'captions', value: body.value, max_distance: body.below ?? null });
    } else {
      // The compiler cannot infer that the remaining names and bodies belong together. Only issues have limits.
      sorted.conditions.push({ name, ...body, ...(name === 'issues' && { limits }) } as Condition);
    }
  }
  return sorted;
}
