import { type BrowserWindow, dialog } from 'electron';
import { systemTexts } from './system-texts.ts';

/**
 * A crashed page loses no data, because the core runs in another process: the page is reloaded. After a second crash a dialog is shown
 * instead of reloading again.
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
    dialog.showErrorBox('Vitrine', systemTexts().window_stopped_twice);
  });
}
