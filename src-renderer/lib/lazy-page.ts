import { type ComponentType, lazy } from 'react';

interface LazyPage {
  load(): Promise<unknown>;
  address: RegExp | undefined;
}

/** Milliseconds in which the shown page loads nothing, after which the code of other pages may load. */
const QUIET_MS = 500;

const pages: LazyPage[] = [];

/**
 * A page whose code is loaded when it is first shown, or by {@link preloadPages}.
 * @param address Addresses that the app often opens with: see {@link preloadPageAt}.
 */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>, address?: RegExp) {
  pages.push({ load, address });
  return lazy(async () => ({ default: await load() }));
}

/** Loads the code of the page at an address, while the session is still being read. */
export function preloadPageAt(address: string): void {
  const page = pages.find((one) => one.address?.test(address));
  // A page that fails to load here is loaded when it is shown.
  void page?.load().catch(() => undefined);
}

/**
 * Loads the code of all pages, so that they open at once, even while the server does not respond. It waits for the shown page to be complete
 * and for the browser to be idle: code of other pages would take processor time and connections from the first screen.
 * @param isBusy Whether the shown page still loads data or images.
 */
export async function preloadPages(isBusy: () => boolean): Promise<void> {
  const whenIdle = window.requestIdleCallback ?? window.setTimeout;
  const untilIdle = () => new Promise<unknown>((resolve) => whenIdle(resolve));
  const untilQuiet = async () => {
    do await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    while (isBusy());
  };
  await untilQuiet();
  for (const { load } of pages) {
    await untilIdle();
    if (isBusy()) await untilQuiet();
    await load().catch(() => undefined);
  }
}
