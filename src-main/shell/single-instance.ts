import { mkdirSync } from 'node:fs';
import type { App } from 'electron';

/**
 * Stores Chromium's data in `desktop_folder`, which also makes that folder the scope of the lock: one app per data folder.
 * Returns false when another instance holds the lock; that instance comes to the front. Must run before the app is ready.
 */
export function takeSingleInstance(app: App, desktopFolder: string): boolean {
  mkdirSync(desktopFolder, { recursive: true });
  app.setPath('userData', desktopFolder);
  return app.requestSingleInstanceLock();
}
