import type { View } from '../../../src-main/contract/schemas/view.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { matchesQueryOf } from '../../lib/view-place.ts';

/** Maximum number of matches. Explore shows the rest. */
const LISTED = 12;

/** Matches of a view, latest first. */
export function useViewMatches(view: View, enabled: boolean) {
  return useOperation(
    'list_items',
    { dataset_id: view.dataset_id, page_size: LISTED, ...matchesQueryOf(view) },
    { enabled },
  );
}
