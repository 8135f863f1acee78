import { statSync } from 'node:fs';
import type { App } from 'electron';
import { openingOf } from './deep-link.ts';
import { APP_SCHEME } from './renderer-files.ts';
import type { Opening, Windows } from './windows.ts';

/**
 * Opens links, folders and windows that other programs ask for.
 * @param wordsOf Returns the arguments of a command line that are no options.
 * @returns A function that returns what the app was started with; ask it once the app is ready.
 */
export function followOpenings(
  app: App,
  windows: Windows,
  wordsOf: (args: readonly string[]) => string[],
): () => Opening | undefined {
  const follow = (opening: Opening | undefined) => {
    if (opening === undefined) windows.front();
    else windows.show(opening);
  };
  if (app.isPackaged) app.setAsDefaultProtocolClient(APP_SCHEME);
  app.on('second-instance', (_event, args) => follow(openingOf(wordsOf(args), isFolder)));
  let first = openingOf(wordsOf(process.argv), isFolder);
  // macOS opens links and folders by these, also before the app is ready.
  const open = (opening: Opening | undefined) => {
    if (app.isReady()) follow(opening);
    else first = opening;
  };
  app.on('open-url', (_event, url) => open(openingOf([url], isFolder)));
  app.on('open-file', (_event, path) => open(openingOf([path], isFolder)));
  return () => first;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
