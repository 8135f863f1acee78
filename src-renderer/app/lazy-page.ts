import { type ComponentType, lazy } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/** A page whose code is loaded when it is first shown, or by {@link preloadPages}. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  loads.push(load);
  return lazy(async () => ({ default: await load() }));
}

/** Loads the code of all pages once the browser is idle, so that they open at once, even while the server does not respond. */
export function preloadPages(): void {
  const whenIdle = window.requestIdleCallback ?? window.setTimeout;
  whenIdle(async () => {
    // A page that fails to load here is loaded when it is shown.
    for (const load of loads) await load().catch(() => undefined);
  });
}
