import { readFileSync } from 'node:fs';

/** Name of the binding through which the page's preload calls the stand-in's `ipcMain`. */
export const INVOKE_BINDING = '__stand_in_invoke';
/** Name of the function in the page that delivers messages to the preload's listeners. */
export const DELIVER_FUNCTION = '__stand_in_deliver';

/**
 * Returns the script that runs a built preload before anything else in a page. It provides what a sandboxed preload may `require` and
 * `process.platform`. The preload runs in the page's own world, so context isolation is not tested here.
 */
export function preloadScript(preloadFile: string): string {
  return `(() => {
    if (window.top !== window) return;
    const listeners = new Map();
    const electron = {
      contextBridge: {
        exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api), enumerable: true }),
      },
      ipcRenderer: {
        invoke: (channel, ...values) => window.${INVOKE_BINDING}(channel, values),
        on: (channel, listener) => {
          if (!listeners.has(channel)) listeners.set(channel, new Set());
          listeners.get(channel).add(listener);
        },
        removeListener: (channel, listener) => listeners.get(channel)?.delete(listener),
      },
      webUtils: { getPathForFile: () => '' },
    };
    window.${DELIVER_FUNCTION} = (channel, values) => {
      for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...values);
    };
    const require = (name) => {
      if (name === 'electron') return electron;
      throw new Error('module not found: ' + name);
    };
    const module = { exports: {} };
    (function (require, module, exports, process) {
${readFileSync(preloadFile, 'utf8')}
    })(require, module, module.exports, { platform: ${JSON.stringify(process.platform)} });
  })();`;
}
