import { chosenItem, type Shown, useChosen, useSelection } from '../../lib/selection.ts';

/** Whether an item is selected, and a function that selects or deselects it. */
export function useToggleSelected(datasetId: string, mediaId: string, shown: Shown | undefined) {
  const change = useSelection((selection) => selection.change);
  const isSelected = useChosen(datasetId).has(mediaId);
  const toggle = () =>
    change(datasetId, (all) => {
      if (!all.delete(mediaId)) all.set(mediaId, chosenItem(mediaId, shown));
    });
  return { isSelected, toggle };
}
