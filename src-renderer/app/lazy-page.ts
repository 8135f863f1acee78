import { type ComponentType, lazy } from 'react';

/** A page whose code is loaded when it is first shown. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }));
}
