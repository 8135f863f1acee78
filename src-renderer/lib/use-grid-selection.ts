import { type Chosen, useChosen, useSelection } from './selection.ts';

/** How a tile was selected: alone, or with the range since the last one. */
export type SelectMode = 'toggle' | 'range';

export interface GridSelection {
  isAny: boolean;
  isSelected(index: number): boolean;
  select(index: number, mode: SelectMode): void;
  /** Adds these to the selection. */
  add(indexes: readonly number[]): void;
  clear(): void;
}

/** Selection of a grid's tiles. @param at Returns the item of a tile. undefined while it is loading. */
export function useGridSelection(
  datasetId: string,
  at: (index: number) => { key: string; chosen: Chosen } | undefined,
): GridSelection {
  const chosen = useChosen(datasetId);
  const { change, from, clear } = useSelection();
  const choose = (all: Map<string, Chosen>, indexes: readonly number[]) => {
    for (const index of indexes) {
      const tile = at(index);
      if (tile !== undefined) all.set(tile.key, tile.chosen);
    }
  };
  return {
    isAny: chosen.size > 0,
    clear,
    isSelected: (index) => {
      const tile = at(index);
      return tile !== undefined && chosen.has(tile.key);
    },
    add: (indexes) => change(datasetId, (all) => choose(all, indexes), indexes.at(-1)),
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
      const first = Math.min(from, index);
      const length = Math.abs(from - index) + 1;
      change(
        datasetId,
        (all) =>
          choose(
            all,
            Array.from({ length }, (_, nth) => first + nth),
          ),
        index,
      );
    },
  };
}
