import { type App, BrowserWindow } from 'electron';

/** Delays quitting until `close` has finished; `onFailure` gets the error if closing fails. */
export function closeBeforeQuit(app: App, close: () => Promise<void>, onFailure: (error: unknown) => void): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    // Hides the windows at once while running work ends.
    for (const window of BrowserWindow.getAllWindows()) window.hide();
    void close()
      .catch(onFailure)
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
}
