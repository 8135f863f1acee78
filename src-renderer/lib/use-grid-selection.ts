import { asApiError } from './api-error.ts';
import { useLastEdit } from './last-edit.ts';
import { useSelectable } from './selectable.ts';
import { type Chosen, useChosen, useSelection, WHOLE } from './selection.ts';
import type { Paged } from './use-paged.ts';

/** How a tile was selected: alone, or with the range from the tile that was selected alone before. */
export type SelectMode = 'toggle' | 'range';

export interface GridSelection {
  isAny: boolean;
  isSelected(index: number): boolean;
  select(index: number, mode: SelectMode): void;
  /** Selects the range between two tiles, which starts at `from` unless a range has started in this list before. */
  extend(from: number, to: number): void;
  /** Adds these to the selection. */
  add(indexes: readonly number[]): void;
  clear(): void;
}

interface Tile {
  key: string;
  chosen: Chosen;
}

/**
 * Selection of a grid's tiles. Ranges include tiles whose page is not loaded.
 * @param listKey Identifies the list: a range starts and ends in the same list.
 * @param tileOf Returns the tile of an item.
 */
export function useGridSelection<T>(
  datasetId: string,
  listKey: string,
  list: Pick<Paged<T>, 'at' | 'load'>,
  tileOf: (item: T) => Tile | undefined,
): GridSelection {
  const chosen = useChosen(datasetId);
  const { change, start, clear } = useSelection();
  const isWhole = useIsWhole(chosen);

  /** Calls back with the tiles of a range, at once if they are loaded. */
  const withTiles = (first: number, last: number, use: (at: (index: number) => Tile | undefined) => void) => {
    const tileAt = (at: Paged<T>['at']) => (index: number) => {
      const item = at(index);
      return item && tileOf(item);
    };
    let isLoaded = true;
    for (let index = first; index <= last && isLoaded; index += 1) isLoaded = list.at(index) !== undefined;
    if (isLoaded) use(tileAt(list.at));
    else {
      list.load(first, last).then(
        (at) => use(tileAt(at)),
        (failure: unknown) => useLastEdit.getState().fail(datasetId, asApiError(failure)),
      );
    }
  };
  const selectRange = (from: number, to: number) => {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    withTiles(first, last, (at) => {
      const added: string[] = [];
      const { start: latest } = useSelection.getState();
      const replaced = latest?.list === listKey && latest.index === from ? latest.added : [];
      change(
        datasetId,
        (all) => {
          all.delete(WHOLE);
          for (const key of replaced) all.delete(key);
          for (let index = first; index <= last; index += 1) {
            const tile = at(index);
            if (tile === undefined || all.has(tile.key)) continue;
            all.set(tile.key, tile.chosen);
            added.push(tile.key);
          }
        },
        { list: listKey, index: from, added },
      );
    });
  };
  const startOf = (index: number) => (start?.list === listKey ? start.index : index);
  return {
    isAny: chosen.size > 0,
    clear,
    isSelected: (index) => {
      if (isWhole) return true;
      const item = list.at(index);
      const tile = item && tileOf(item);
      return tile !== undefined && chosen.has(tile.key);
    },
    add: (indexes) => {
      const [first, last] = [indexes.at(0), indexes.at(-1)];
      if (first === undefined || last === undefined) return;
      withTiles(first, last, (at) =>
        change(
          datasetId,
          (all) => {
            all.delete(WHOLE);
            for (const tile of indexes.map(at)) if (tile !== undefined) all.set(tile.key, tile.chosen);
          },
          { list: listKey, index: last, added: [] },
        ),
      );
    },
    extend: (from, to) => selectRange(startOf(from), to),
    select: (index, mode) => {
      if (mode === 'range') return selectRange(startOf(index), index);
      const item = list.at(index);
      const tile = item && tileOf(item);
      if (tile === undefined) return;
      change(
        datasetId,
        (all) => {
          all.delete(WHOLE);
          if (!all.delete(tile.key)) all.set(tile.key, tile.chosen);
        },
        { list: listKey, index, added: [] },
      );
    },
  };
}

/** Whether the selection is the whole list of the screen. A tile that is then selected replaces it: a query has no exceptions. */
function useIsWhole(chosen: ReadonlyMap<string, Chosen>): boolean {
  const listed = useSelectable(({ list }) => list?.all?.part);
  const whole = chosen.get(WHOLE)?.part;
  return whole !== undefined && JSON.stringify(whole) === JSON.stringify(listed);
}
