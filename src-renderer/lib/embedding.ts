import { selectionOf, useSelection } from './selection.ts';

/** Name of the parameter, before the fragment, with the origin of the page that shows the app in a frame. */
const PARAMETER = 'embed';

/** Sent to the page around the app when the selection changes. */
export interface SelectionMessage {
  source: 'vitrine';
  type: 'selection';
  dataset_id: string;
  /** In the form of the operations' input. */
  media_selection: ReturnType<typeof selectionOf>;
  /** Number of selected items. */
  count: number;
}

/** Reports the selection to the page that shows the app in a frame. Browsers deliver it only if that page has the named origin. */
export function reportSelection(): void {
  const origin = new URL(window.location.href).searchParams.get(PARAMETER);
  if (origin === null || window.parent === window) return;
  useSelection.subscribe(({ datasetId, chosen }) => {
    const message: SelectionMessage = {
      source: 'vitrine',
      type: 'selection',
      dataset_id: datasetId,
      media_selection: selectionOf(chosen.values()),
      count: [...chosen.values()].reduce((sum, { count }) => sum + count, 0),
    };
    window.parent.postMessage(message, origin);
  });
}
