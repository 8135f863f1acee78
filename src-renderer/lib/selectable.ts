import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { queryOf } from './explore-source.ts';
import { filterName } from './filters.ts';
import type { Place } from './routes.ts';
import type { Chosen, Part } from './selection.ts';

/** The list on the current screen, to which the actions of the selection belong. */
export interface OfferedList {
  place: Place;
  /** Selection of the whole list. */
  all: Chosen | undefined;
  /** Whether the list shows excluded items, which can be restored. */
  isExcluded: boolean;
}

/** The item to which the keys of the actions apply. */
export interface Target {
  chosen: Chosen;
  isExcluded?: boolean;
  /** The screen is about this item, so the keys apply to it and not to the selection. */
  isAlone?: boolean;
}

interface Selectable {
  list: OfferedList | undefined;
  target: (() => Target | undefined) | undefined;
}

/** What the current screen offers to the tray. */
export const useSelectable = create<Selectable>()(() => ({ list: undefined, target: undefined }));

/** Offers the list of the current screen. @param part Selection of the whole list. Defaults to the query of the place. */
export function useOfferList(place: Place, total: number | undefined, part?: Part): void {
  const isExcluded = place.filters.some((filter) => filterName(filter) === 'excluded');
  const whole: Part = part ?? { type: 'query', payload: queryOf(place) };
  const all = total === undefined || total === 0 ? undefined : { part: whole, count: total };
  const key = JSON.stringify({ place, all, isExcluded });
  useEffect(() => {
    const list = JSON.parse(key) as OfferedList;
    useSelectable.setState({ list });
    return () => useSelectable.setState((now) => (now.list === list ? { list: undefined } : now));
  }, [key]);
}

/** Offers the item to which the keys of the actions apply, until the screen is left. */
export function useOfferTarget(target: () => Target | undefined): void {
  const targetNow = useEffectEvent(target);
  useEffect(() => {
    const offered = () => targetNow();
    useSelectable.setState({ target: offered });
    return () => useSelectable.setState((now) => (now.target === offered ? { target: undefined } : now));
  }, []);
}

/** Offers the focused tile of a grid. */
export function useOfferTile(chosenAt: (index: number) => Chosen | undefined): void {
  useOfferTarget(() => {
    const index = document.activeElement?.closest('[role="gridcell"]')?.getAttribute('data-index');
    const chosen = index === undefined || index === null ? undefined : chosenAt(Number(index));
    return chosen && { chosen };
  });
}
