import type { View } from '../../../src-main/contract/schemas/view.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { matchesQueryOf } from '../../lib/view-place.ts';

/** More are shown in Explore. */
const LISTED = 12;

/** What fits a view, the latest first. */
export function useViewMatches(view: View, enabled: boolean) {
  return useOperation(
    'list_items',
    { dataset_id: view.dataset_id, page_size: LISTED, ...matchesQueryOf(view) },
    { enabled },
  );
}
