import { performance } from 'node:perf_hooks';
import { type Message, message } from '../../contract/messages.ts';
import { walkMedia } from '../files/local-folders.ts';
import { createOpenedFolders } from '../files/opened-folders.ts';
import { createLinkAliases } from './link-aliases.ts';
import { lookAtFiles } from './look-at-files.ts';
import { createPendingChanges, isSameState, type TakenChanges } from './pending-changes.ts';
import { type TreeEvents, watchTree } from './tree-events.ts';
import type { FolderChanges, KnownFile, WatchedFile, WatchMemory, WatchSettings } from './watch-settings.ts';
import { identifyRoot, isSameRoot, type RootIdentity } from './watched-root.ts';

/** Access to folders is checked where changes are imported, so watching is not restricted. */
const EVERYTHING = createOpenedFolders(() => null);

/** The reason why a session of watching ended. */
export type SessionEnd = { offline: Message } | 'again';

export interface WatchSession {
  /**
   * Watches until the folder goes offline, another folder replaces it, or watching is stopped.
   * @throws Errors of `known`; AbortError.
   */
  run(): Promise<SessionEnd>;
  /** Makes a waiting session check for work at once. */
  wake(): void;
}

const MAX_RETRY_MS = 300_000;
const LIMIT_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/** One session of watching an existing folder: starts events, scans, then passes on batch after batch. */
export function createWatchSession(
  settings: WatchSettings,
  memory: WatchMemory,
  home: RootIdentity,
  signal: AbortSignal,
): WatchSession {
  const { root, skip, log, settle_ms } = settings;
  const pending = createPendingChanges(settings);
  const isAlias = createLinkAliases(root, skip);
  const now = () => performance.now();
  /** Each round costs time in proportion to the number of pending files. */
  const shortestRestMs = Math.min(100, Math.max(5, settle_ms / 4));
  const touchedByEvent = new Set<string>();
  let events: TreeEvents | undefined;
  let outOfWatches = false;
  let checkRootAtMs = 0;
  let failures = 0;
  let holdUntilMs = 0;
  let wake: () => void = () => undefined;

  function rest(restMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, restMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Wakes the session for the first pending change only: while changes are pending, the session wakes by itself. */
  function onEvent(record: () => void): void {
    const idle = pending.isEmpty();
    record();
    if (idle) wake();
  }

  function listen(): TreeEvents {
    return watchTree(root, {
      skip,
      onTouched: (filePath, state) => {
        touchedByEvent.add(filePath);
        onEvent(() => pending.noteTouched(filePath, state, now()));
      },
      onGone: (filePath) => onEvent(() => pending.noteRemoved(filePath, now())),
      onGoneFolder: (filePath) => {
        if (filePath === '') checkRootAtMs = 0;
        onEvent(() => pending.noteRemovedFolder(filePath, now()));
      },
      onError: (error) => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!LIMIT_CODES.has(code)) {
          log.warn({ error }, 'the events of a watched folder failed');
          return;
        }
        if (outOfWatches) return;
        log.warn({ code }, 'the system allows no more watches; the folder is scanned periodically');
        outOfWatches = true;
        void events?.close();
        wake();
      },
    });
  }

  /**
   * Whether the path still leads to the folder with which the session started. Some network folders change their inode while no watch is
   * open.
   */
  async function isStillThere(): Promise<boolean> {
    const seen = await identifyRoot(root);
    if ('missing' in seen) return false;
    return events && !outOfWatches ? isSameRoot(home, seen) : seen.device === home.device;
  }

  /** Whether the path leads to the verified folder. A file that is missing from another folder proves nothing. */
  async function isProven(): Promise<boolean> {
    const seen = await identifyRoot(root);
    return !('missing' in seen) && isSameRoot(memory.proven, seen);
  }

  /** Compares the folder with the known files. `doubted` and `moved` mean that the result proves no removals. */
  async function scan(): Promise<'compared' | 'doubted' | 'moved'> {
    const before = await identifyRoot(root);
    if ('missing' in before) return 'moved';
    memory.scanNumber += 1;
    let nFiles = 0;
    let nKnown = 0;
    for await (const batch of walkMedia(root, signal, skip, EVERYTHING)) {
      for (const { file_path, size_bytes, mtime_ms, problem } of batch) {
        const knownFile = memory.known.get(file_path);
        if (knownFile) {
          knownFile.scan = memory.scanNumber;
          nKnown += 1;
        }
        if (problem) continue;
        nFiles += 1;
        const state = { size_bytes, mtime_ms };
        if (!isSameState(knownFile, state)) pending.noteTouched(file_path, state, now());
      }
    }
    const seen = await identifyRoot(root);
    // A partial listing of one folder, combined with the identity of another, would be taken for removals.
    if ('missing' in seen || !isSameRoot(before, seen)) return 'moved';
    const { proven, scanNumber } = memory;
    const missing: string[] = [];
    for (const [filePath, file] of memory.known) {
      if (file.scan !== scanNumber && !skip(filePath)) missing.push(filePath);
    }
    const otherDrive = proven !== undefined && proven.device !== seen.device;
    const isEmpty = nFiles === 0 && !isSameRoot(proven, seen);
    if (missing.length > 0 && nKnown === 0 && (isEmpty || otherDrive)) {
      memory.doubted = { identity: seen, is_empty: nFiles === 0 };
      return 'doubted';
    }
    for (const filePath of missing) pending.noteRemoved(filePath, now());
    memory.proven = seen;
    memory.doubted = undefined;
    return 'compared';
  }

  /** Checks files again that should have settled. */
  async function settle(): Promise<void> {
    await lookAtFiles(root, pending.due(now()), (filePath, look) => {
      if (look.found === 'file') pending.noteChecked(filePath, look.state, now());
      else if (look.found === 'nothing' && memory.known.has(filePath)) pending.noteRemoved(filePath, now());
      else pending.forget(filePath);
    });
  }

  /** Returns the known files that are really removed, among those reported as removed. Others that changed become pending again. */
  async function removedOf({ gone, gone_folders }: TakenChanges): Promise<string[]> {
    const { known } = memory;
    const checked = [...gone].filter((filePath) => known.has(filePath));
    if (gone_folders.size > 0) {
      for (const filePath of known.keys()) {
        if (!gone.has(filePath) && isBelow(filePath, gone_folders)) checked.push(filePath);
      }
    }
    const removed: string[] = [];
    await lookAtFiles(root, checked, (filePath, look) => {
      if (look.found === 'nothing') removed.push(filePath);
      else if (look.found === 'file' && !isSameState(known.get(filePath), look.state)) {
        pending.noteTouched(filePath, look.state, now());
      }
    });
    return removed;
  }

  async function addedOrChangedOf({ settled }: TakenChanges): Promise<WatchedFile[]> {
    const files: WatchedFile[] = [];
    for (const [filePath, state] of settled) {
      const before = memory.known.get(filePath);
      if (isSameState(before, state)) continue;
      // A scan reports a file's own path; events are reported for every path that leads to the file.
      if (!before && touchedByEvent.has(filePath) && (await isAlias(filePath))) continue;
      files.push({ file_path: filePath, ...state });
    }
    return files;
  }

  /** Passes on the changes that are ready. Returns false when the folder went offline meanwhile. */
  async function handOver(): Promise<boolean> {
    const taken = now() < holdUntilMs ? undefined : pending.take(now());
    if (!taken) return true;
    let removed = await removedOf(taken);
    if (removed.length > 0) {
      // Removed files are checked twice, each time before the root folder: a root that was missing for a moment would make all files look
      // removed.
      if (!(await isProven())) return false;
      removed = await removedOf({ ...taken, gone: new Set(removed), gone_folders: new Set() });
      if (!(await isProven())) return false;
    }
    const addedOrChanged = await addedOrChangedOf(taken);
    const isEmpty = addedOrChanged.length === 0 && removed.length === 0;
    if (isEmpty || (await isTaken({ added_or_changed: addedOrChanged, removed }))) {
      for (const filePath of taken.settled.keys()) touchedByEvent.delete(filePath);
    } else {
      pending.putBack(taken, now());
    }
    return true;
  }

  async function isTaken(changes: FolderChanges): Promise<boolean> {
    try {
      await settings.onBatch(changes);
    } catch (error) {
      const pauseMs = Math.min(MAX_RETRY_MS, settings.retry_ms * 2 ** failures);
      failures += 1;
      holdUntilMs = now() + pauseMs;
      log.warn({ error, retry_in_ms: pauseMs }, 'changes of a watched folder could not be recorded');
      return false;
    }
    failures = 0;
    const { known, scanNumber } = memory;
    for (const { file_path, size_bytes, mtime_ms } of changes.added_or_changed) {
      known.set(file_path, { size_bytes, mtime_ms, scan: scanNumber });
    }
    for (const filePath of changes.removed) known.delete(filePath);
    return true;
  }

  /** The result of a session whose folder is no longer the same. A new folder at the path is watched from the start. */
  async function endOf(doubt?: Message): Promise<SessionEnd> {
    const seen = await identifyRoot(root);
    if ('missing' in seen) return { offline: seen.missing };
    return doubt === undefined ? 'again' : { offline: doubt };
  }

  /** Whether the folder is unchanged since it was found to be the wrong one. */
  async function isStillDoubted(): Promise<boolean> {
    const { doubted } = memory;
    if (!doubted || memory.rescanRequested || !isSameRoot(doubted.identity, home)) return false;
    return !doubted.is_empty || !(await hasFiles(root, signal, skip));
  }

  async function startListening(): Promise<void> {
    const opened = listen();
    events = opened;
    const stop = () => void opened.close();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await opened.ready;
    signal.removeEventListener('abort', stop);
  }

  async function watch(): Promise<SessionEnd> {
    if (await isStillDoubted()) return { offline: message('watch_folder_changed') };
    settings.report('scanning');
    if (!settings.poll_only) await startListening();
    memory.rescanRequested = true;
    for (let scanAtMs = 0; !signal.aborted; ) {
      const polls = settings.poll_only || outOfWatches;
      if (memory.rescanRequested || (polls && now() >= scanAtMs)) {
        if (memory.rescanRequested) {
          settings.report('scanning');
          memory.known = await loadKnown(settings);
          memory.rescanRequested = false;
        }
        const begunMs = now();
        const found = await scan();
        if (found !== 'compared') return endOf(found === 'doubted' ? message('watch_folder_changed') : undefined);
        scanAtMs = now() + Math.max(settings.poll_ms, 10 * (now() - begunMs));
      }
      if (outOfWatches) settings.report('watching', message('watch_polls'));
      else settings.report('watching');
      if (now() >= checkRootAtMs) {
        checkRootAtMs = now() + settings.root_check_ms;
        if (!(await isStillThere())) return endOf();
      }
      await settle();
      if (!(await handOver())) return endOf();
      if (signal.aborted || memory.rescanRequested) continue;
      const heldMs = Math.min(settle_ms, holdUntilMs - now());
      const pendingMs = Math.max(shortestRestMs, heldMs, pending.nextIn(now()) ?? Number.POSITIVE_INFINITY);
      const untilMs = polls ? Math.min(checkRootAtMs, scanAtMs) : checkRootAtMs;
      await rest(Math.min(pendingMs, Math.max(0, untilMs - now())));
    }
    return 'again';
  }

  return {
    run: async () => {
      try {
        return await watch();
      } catch (error) {
        // A folder that is moved away cannot be read on.
        const seen = await identifyRoot(root);
        if (signal.aborted || !('missing' in seen)) throw error;
        return { offline: seen.missing };
      } finally {
        await events?.close();
      }
    },
    wake: () => wake(),
  };
}

async function loadKnown(settings: WatchSettings): Promise<Map<string, KnownFile>> {
  const files = new Map<string, KnownFile>();
  for await (const batch of settings.known()) {
    for (const { file_path, size_bytes, mtime_ms } of batch) files.set(file_path, { size_bytes, mtime_ms, scan: 0 });
  }
  return files;
}

async function hasFiles(root: string, signal: AbortSignal, skip: (filePath: string) => boolean): Promise<boolean> {
  for await (const batch of walkMedia(root, signal, skip, EVERYTHING)) {
    if (batch.some((file) => file.problem === undefined)) return true;
  }
  return false;
}

function isBelow(filePath: string, folders: ReadonlySet<string>): boolean {
  for (let end = filePath.lastIndexOf('/'); end > 0; end = filePath.lastIndexOf('/', end - 1)) {
    if (folders.has(filePath.slice(0, end))) return true;
  }
  return folders.has('');
}
