import { registerHooks } from 'node:module';

/*
 * Given to Node by `--import`, this makes `electron` mean the stand-in beside it. The built desktop bundle then runs as it is, its
 * windows being pages of a real Chromium.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context),
});
