import { mkdirSync } from 'node:fs';
import type { App } from 'electron';

/**
 * Keeps what Chromium stores in `desktop_folder`, which also makes that folder the scope of the lock: one app for one data folder.
 * Returns false when another instance has it; that one is told and comes to the front. Must run before the app is ready.
 */
export function takeSingleInstance(app: App, desktopFolder: string): boolean {
  mkdirSync(desktopFolder, { recursive: true });
  app.setPath('userData', desktopFolder);
  return app.requestSingleInstanceLock();
}
