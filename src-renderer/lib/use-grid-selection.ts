import { type Chosen, useChosen, useSelection } from './selection.ts';

/** How a tile was chosen: on its own, or with all from the last one. */
export type SelectMode = 'toggle' | 'range';

export interface GridSelection {
  isAny: boolean;
  isSelected(index: number): boolean;
  select(index: number, mode: SelectMode): void;
  clear(): void;
}

/** Choosing the tiles of a grid. @param at What a tile stands for; undefined while it is on its way. */
export function useGridSelection(
  datasetId: string,
  at: (index: number) => { key: string; chosen: Chosen } | undefined,
): GridSelection {
  const chosen = useChosen(datasetId);
  const { change, from, clear } = useSelection();
  return {
    isAny: chosen.size > 0,
    clear,
    isSelected: (index) => {
      const tile = at(index);
      return tile !== undefined && chosen.has(tile.key);
    },
    select: (index, mode) => {
      const tile = at(index);
      if (tile === undefined) return;
      if (mode === 'toggle') {
        change(
          datasetId,
          (all) => {
            if (!all.delete(tile.key)) all.set(tile.key, tile.chosen);
          },
          index,
        );
        return;
      }
      change(
        datasetId,
        (all) => {
          for (let one = Math.min(from, index); one <= Math.max(from, index); one += 1) {
            const between = at(one);
            if (between !== undefined) all.set(between.key, between.chosen);
          }
        },
        index,
      );
    },
  };
}
