import { registerHooks } from 'node:module';

/*
 * Loaded with Node's `--import`: resolves `electron` to the stand-in beside this file. The built desktop bundle then runs unchanged, and
 * its windows are pages of a real Chromium.
 */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context),
});
