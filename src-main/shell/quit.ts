import { type App, BrowserWindow } from 'electron';

/** Lets the app quit only after `close` has finished, whatever asked for it; `onFailure` hears why closing failed. */
export function closeBeforeQuit(app: App, close: () => Promise<void>, onFailure: (error: unknown) => void): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    // Gone for the person at once; what runs is given its moment to end.
    for (const window of BrowserWindow.getAllWindows()) window.hide();
    void close()
      .catch(onFailure)
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
}
