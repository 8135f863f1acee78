import { performance } from 'node:perf_hooks';
import { walkMedia } from '../files/local-folders.ts';
import { createLinkAliases } from './link-aliases.ts';
import { lookAtFiles } from './look-at-files.ts';
import { createPendingChanges, isSameState, type TakenChanges } from './pending-changes.ts';
import { type TreeEvents, watchTree } from './tree-events.ts';
import type { FolderChanges, KnownFile, WatchedFile, WatchMemory, WatchSettings } from './watch-settings.ts';
import { identifyRoot, isSameRoot, type RootIdentity } from './watched-root.ts';

/** Why a session of watching ended. */
export type SessionEnd = { offline: string } | 'again';

export interface WatchSession {
  /**
   * Watches until the folder goes away, another one takes its place, or somebody stops it.
   * @throws whatever `known` throws; AbortError.
   */
  run(): Promise<SessionEnd>;
  /** Makes a waiting session look at what it has to do. */
  wake(): void;
}

const MAX_RETRY_MS = 300_000;
const LIMIT_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);
const NO_MORE_WATCHES = 'The system cannot watch so many folders; this one is checked from time to time instead';
const NOT_THE_SAME = 'The folder holds none of its files; its drive may not be connected';

/** One stretch of watching a folder that is there: events, then a scan, then batch after batch. */
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
  /** With many pending files each round costs time. */
  const shortest_rest_ms = Math.min(100, Math.max(5, settle_ms / 4));
  const heard_of = new Set<string>();
  let events: TreeEvents | undefined;
  let out_of_watches = false;
  let check_root_at_ms = 0;
  let failures = 0;
  let hold_until_ms = 0;
  let wake: () => void = () => undefined;

  function rest(rest_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, rest_ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** While something is pending the session comes round by itself. */
  function heard(tell: () => void): void {
    const idle = pending.isEmpty();
    tell();
    if (idle) wake();
  }

  function listen(): TreeEvents {
    return watchTree(root, {
      skip,
      onTouched: (file_path, state) => {
        heard_of.add(file_path);
        heard(() => pending.noteTouched(file_path, state, now()));
      },
      onGone: (file_path) => heard(() => pending.noteGone(file_path, now())),
      onGoneFolder: (file_path) => {
        if (file_path === '') check_root_at_ms = 0;
        heard(() => pending.noteGoneFolder(file_path, now()));
      },
      onError: (error) => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!LIMIT_CODES.has(code)) {
          log.warn({ error }, 'events of a watched folder');
          return;
        }
        if (out_of_watches) return;
        log.warn({ code }, 'no more watches: the folder is scanned from time to time');
        out_of_watches = true;
        void events?.close();
        wake();
      },
    });
  }

  /** Whether it is still the folder of the beginning. Some network folders change their number where no watch holds them. */
  async function isStillThere(): Promise<boolean> {
    const seen = await identifyRoot(root);
    if ('missing' in seen) return false;
    return events && !out_of_watches ? isSameRoot(home, seen) : seen.device === home.device;
  }

  /** Whether it is the folder that was found to be the right one: what is missing from another one says nothing. */
  async function isProven(): Promise<boolean> {
    const seen = await identifyRoot(root);
    return !('missing' in seen) && isSameRoot(memory.proven, seen);
  }

  /** Compares the folder with what is known; says why when what was seen proves nothing. */
  async function scan(): Promise<'compared' | 'doubted' | 'moved'> {
    const before = await identifyRoot(root);
    if ('missing' in before) return 'moved';
    memory.scan_number += 1;
    let n_files = 0;
    let n_known = 0;
    for await (const batch of walkMedia(root, signal, skip)) {
      for (const { file_path, size_bytes, mtime_ms, problem } of batch) {
        const known_file = memory.known.get(file_path);
        if (known_file) {
          known_file.scan = memory.scan_number;
          n_known += 1;
        }
        if (problem) continue;
        n_files += 1;
        const state = { size_bytes, mtime_ms };
        if (!isSameState(known_file, state)) pending.noteTouched(file_path, state, now());
      }
    }
    const seen = await identifyRoot(root);
    // Half a listing of one folder and the name of another would be taken for removals.
    if ('missing' in seen || !isSameRoot(before, seen)) return 'moved';
    const { proven, scan_number } = memory;
    const missing: string[] = [];
    for (const [file_path, file] of memory.known) {
      if (file.scan !== scan_number && !skip(file_path)) missing.push(file_path);
    }
    const other_drive = proven !== undefined && proven.device !== seen.device;
    const is_empty = n_files === 0 && !isSameRoot(proven, seen);
    if (missing.length > 0 && n_known === 0 && (is_empty || other_drive)) {
      memory.doubted = { identity: seen, is_empty: n_files === 0 };
      return 'doubted';
    }
    for (const file_path of missing) pending.noteGone(file_path, now());
    memory.proven = seen;
    memory.doubted = undefined;
    return 'compared';
  }

  /** Looks again at files that should have settled. */
  async function settle(): Promise<void> {
    await lookAtFiles(root, pending.due(now()), (file_path, look) => {
      if (look.found === 'file') pending.looked(file_path, look.state, now());
      else if (look.found === 'nothing' && memory.known.has(file_path)) pending.noteGone(file_path, now());
      else pending.forget(file_path);
    });
  }

  /** Which of the known files that are said to be gone are so indeed; others that changed are pending again. */
  async function removedOf({ gone, gone_folders }: TakenChanges): Promise<string[]> {
    const { known } = memory;
    const asked = [...gone].filter((file_path) => known.has(file_path));
    if (gone_folders.size > 0) {
      for (const file_path of known.keys()) {
        if (!gone.has(file_path) && isBelow(file_path, gone_folders)) asked.push(file_path);
      }
    }
    const removed: string[] = [];
    await lookAtFiles(root, asked, (file_path, look) => {
      if (look.found === 'nothing') removed.push(file_path);
      else if (look.found === 'file' && !isSameState(known.get(file_path), look.state)) {
        pending.noteTouched(file_path, look.state, now());
      }
    });
    return removed;
  }

  async function addedOrChangedOf({ settled }: TakenChanges): Promise<WatchedFile[]> {
    const files: WatchedFile[] = [];
    for (const [file_path, state] of settled) {
      const before = memory.known.get(file_path);
      if (isSameState(before, state)) continue;
      // A scan goes by a file's own path, events come for every path that leads to it.
      if (!before && heard_of.has(file_path) && (await isAlias(file_path))) continue;
      files.push({ file_path, ...state });
    }
    return files;
  }

  /** Hands over what is ready; false when the folder went away meanwhile. */
  async function handOver(): Promise<boolean> {
    const taken = now() < hold_until_ms ? undefined : pending.take(now());
    if (!taken) return true;
    let removed = await removedOf(taken);
    if (removed.length > 0) {
      // Looked for twice, each time before the folder itself: one that was away for a moment would have hidden them all.
      if (!(await isProven())) return false;
      removed = await removedOf({ ...taken, gone: new Set(removed), gone_folders: new Set() });
      if (!(await isProven())) return false;
    }
    const added_or_changed = await addedOrChangedOf(taken);
    const is_empty = added_or_changed.length === 0 && removed.length === 0;
    if (is_empty || (await isTaken({ added_or_changed, removed }))) {
      for (const file_path of taken.settled.keys()) heard_of.delete(file_path);
    } else {
      pending.putBack(taken, now());
    }
    return true;
  }

  async function isTaken(changes: FolderChanges): Promise<boolean> {
    try {
      await settings.onBatch(changes);
    } catch (error) {
      const pause_ms = Math.min(MAX_RETRY_MS, settings.retry_ms * 2 ** failures);
      failures += 1;
      hold_until_ms = now() + pause_ms;
      log.warn({ error, retry_in_ms: pause_ms }, 'changes of a watched folder were not taken');
      return false;
    }
    failures = 0;
    const { known, scan_number } = memory;
    for (const { file_path, size_bytes, mtime_ms } of changes.added_or_changed) {
      known.set(file_path, { size_bytes, mtime_ms, scan: scan_number });
    }
    for (const file_path of changes.removed) known.delete(file_path);
    return true;
  }

  /** What follows when the folder is not what it was: another one in its place is watched from the beginning. */
  async function endOf(doubt?: string): Promise<SessionEnd> {
    const seen = await identifyRoot(root);
    if ('missing' in seen) return { offline: seen.missing };
    return doubt === undefined ? 'again' : { offline: doubt };
  }

  /** Whether nothing has changed since the folder was found to be the wrong one. */
  async function isStillDoubted(): Promise<boolean> {
    const { doubted } = memory;
    if (!doubted || memory.rescan_asked || !isSameRoot(doubted.identity, home)) return false;
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
    if (await isStillDoubted()) return { offline: NOT_THE_SAME };
    settings.report('scanning');
    if (!settings.poll_only) await startListening();
    memory.rescan_asked = true;
    for (let scan_at_ms = 0; !signal.aborted; ) {
      const polls = settings.poll_only || out_of_watches;
      if (memory.rescan_asked || (polls && now() >= scan_at_ms)) {
        if (memory.rescan_asked) {
          settings.report('scanning');
          memory.known = await loadKnown(settings);
          memory.rescan_asked = false;
        }
        const begun_ms = now();
        const found = await scan();
        if (found !== 'compared') return endOf(found === 'doubted' ? NOT_THE_SAME : undefined);
        scan_at_ms = now() + Math.max(settings.poll_ms, 10 * (now() - begun_ms));
      }
      if (out_of_watches) settings.report('watching', NO_MORE_WATCHES);
      else settings.report('watching');
      if (now() >= check_root_at_ms) {
        check_root_at_ms = now() + settings.root_check_ms;
        if (!(await isStillThere())) return endOf();
      }
      await settle();
      if (!(await handOver())) return endOf();
      if (signal.aborted || memory.rescan_asked) continue;
      const held_ms = Math.min(settle_ms, hold_until_ms - now());
      const pending_ms = Math.max(shortest_rest_ms, held_ms, pending.nextIn(now()) ?? Number.POSITIVE_INFINITY);
      const until_ms = polls ? Math.min(check_root_at_ms, scan_at_ms) : check_root_at_ms;
      await rest(Math.min(pending_ms, Math.max(0, until_ms - now())));
    }
    return 'again';
  }

  return {
    run: async () => {
      try {
        return await watch();
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

async function hasFiles(root: string, signal: AbortSignal, skip: (file_path: string) => boolean): Promise<boolean> {
  for await (const batch of walkMedia(root, signal, skip)) {
    if (batch.some((file) => file.problem === undefined)) return true;
  }
  return false;
}

function isBelow(file_path: string, folders: ReadonlySet<string>): boolean {
  for (let end = file_path.lastIndexOf('/'); end > 0; end = file_path.lastIndexOf('/', end - 1)) {
    if (folders.has(file_path.slice(0, end))) return true;
  }
  return folders.has('');
}
