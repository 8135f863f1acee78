import type { AppUpdater } from 'electron-updater';
import type { ShellTexts } from './shell-texts.ts';

const CHECK_INTERVAL_MS = 24 * 60 * 60_000;

export interface UpdateOptions {
  texts: ShellTexts;
  isPackaged: boolean;
  /** Address of the list of versions, instead of the one that the package names. */
  feed: string | undefined;
  /** Whether the package names a feed. */
  hasOwnFeed: boolean;
  load: () => Promise<AppUpdater>;
  /** Says the result of a check that somebody asked for. */
  say: (message: string, detail: string) => void;
  log: (error: unknown) => void;
}

export interface Updates {
  /** Looks now and says the result. */
  check(): Promise<void>;
}

/**
 * Looks for a newer version once a day and installs it at the end of the app. Nothing happens in development, and nothing without a feed.
 * electron-updater compares the hash of the list with the file, and the signature with that of the installed app (Windows, macOS).
 */
export async function startUpdates(options: UpdateOptions): Promise<Updates | undefined> {
  if (!options.isPackaged || (options.feed === undefined && !options.hasOwnFeed)) return undefined;
  const { texts } = options;
  const updater = await options.load();
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  updater.on('error', options.log);
  if (options.feed !== undefined) updater.setFeedURL({ provider: 'generic', url: options.feed });
  const look = () => updater.checkForUpdates().catch(options.log);
  void look();
  setInterval(() => void look(), CHECK_INTERVAL_MS).unref();
  return {
    check: async () => {
      const found = await look();
      const isNewer = found?.isUpdateAvailable === true;
      options.say(
        isNewer ? texts.fetching_version(found.updateInfo.version) : texts.newest_version,
        isNewer ? texts.installed_on_close : '',
      );
    },
  };
}
