import { type BrowserWindow, dialog } from 'electron';

/**
 * The core lives in another process, so a crashed page loses nothing: it is loaded again. A page that crashes a second time would do so
 * for ever; then the person is told.
 */
export function reloadOnceAfterCrash(window: BrowserWindow): void {
  let hasReloaded = false;
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return;
    if (!hasReloaded) {
      hasReloaded = true;
      window.webContents.reload();
      return;
    }
    dialog.showErrorBox(
      'Vitrine',
      'The window stopped working twice. Please quit and start Vitrine again; your data is safe.',
    );
  });
}
