import type { Stats } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { fileKindOf } from '../files/file-kinds.ts';
import { isHiddenName } from '../files/hidden-names.ts';
import { PatientWatcher } from './patient-watcher.ts';
import type { FileState } from './pending-changes.ts';

export interface TreeEventListeners {
  /** Whether a path below the root is excluded. */
  skip(filePath: string): boolean;
  /** Called when a media or annotation file was created or changed. */
  onTouched(filePath: string, state: FileState | undefined): void;
  onGone(filePath: string): void;
  /** Called when a folder was removed; `''` is the root. */
  onGoneFolder(filePath: string): void;
  onError(error: unknown): void;
}

export interface TreeEvents {
  /** Resolves when changes from now on are noticed, or on close. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Reports events of the media and annotation files below a folder, without hidden and system entries. Existing files cause no events. */
export function watchTree(root: string, listeners: TreeEventListeners): TreeEvents {
  const below = (path: string) => relative(root, path).split(sep).join('/');
  const watcher = new PatientWatcher({
    ignoreInitial: true,
    alwaysStat: true,
    ignorePermissionErrors: true,
    // Atomic mode would delay removals, and with them one half of every rename.
    atomic: false,
    ignored: (path, stats) => {
      const filePath = below(path);
      if (filePath === '' || filePath.startsWith('..')) return false;
      if (isHiddenName(basename(path)) || listeners.skip(filePath)) return true;
      return stats?.isFile() === true && !isWatched(filePath);
    },
  });
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const onTouched = (path: string, stats: Stats | undefined) => {
    const filePath = below(path);
    if (isWatched(filePath))
      listeners.onTouched(filePath, stats && { size_bytes: stats.size, mtime_ms: stats.mtimeMs });
  };
  watcher
    .on('add', onTouched)
    .on('change', onTouched)
    .on('unlink', (path) => {
      listeners.onGone(below(path));
      // The removed path may have been a link to a folder.
      if (!isWatched(below(path))) listeners.onGoneFolder(below(path));
    })
    .on('unlinkDir', (path) => listeners.onGoneFolder(below(path)))
    .on('error', (error) => listeners.onError(error))
    .on('ready', markReady)
    .add(root);
  return {
    ready,
    close: async () => {
      markReady();
      await watcher.close();
    },
  };
}

function isWatched(filePath: string): boolean {
  return fileKindOf(filePath) !== undefined;
}
