import { readFileSync } from 'node:fs';

/** The binding by which the page's preload reaches the stand-in's `ipcMain`. */
export const INVOKE_BINDING = '__stand_in_invoke';
/** The function in the page that delivers messages to the preload's listeners. */
export const DELIVER_FUNCTION = '__stand_in_deliver';

/**
 * The script that runs a built preload before anything else in a page: what a sandboxed preload may `require`, and `process.platform`.
 * Its world is the page's own, so isolation itself is not shown here.
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
