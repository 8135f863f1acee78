export interface FileState {
  size_bytes: number;
  mtime_ms: number;
}

export interface TakenChanges {
  /** Files whose size and modification time are stable, with their last seen state. */
  settled: Map<string, FileState>;
  /** Files reported as removed; not yet verified. */
  gone: Set<string>;
  /** Folders reported as removed, with everything below them; not yet verified. */
  gone_folders: Set<string>;
}

export interface PendingTimes {
  /** Time in ms for which a file's size and modification time must be stable. */
  settle_ms: number;
  /** Time in ms without any event after which changes are passed on. */
  quiet_ms: number;
  /** Maximum time in ms that settled changes wait while events continue. */
  max_wait_ms: number;
}

interface Touched {
  /** Undefined until the file has been checked. */
  state: FileState | undefined;
  check_at_ms: number;
  settled: boolean;
}

/** Changes of a folder that are not yet passed on. Times are given by the caller, in ms of any monotonic clock. */
export interface PendingChanges {
  isEmpty(): boolean;
  /** Records a created or changed file. Reporting the same state again changes nothing. */
  noteTouched(filePath: string, state: FileState | undefined, nowMs: number): void;
  noteRemoved(filePath: string, nowMs: number): void;
  noteRemovedFolder(filePath: string, nowMs: number): void;
  /** Files that must be checked now. */
  due(nowMs: number): string[];
  /** Records the result of a check. The file settles when its state equals that of the previous check. */
  noteChecked(filePath: string, state: FileState, nowMs: number): void;
  forget(filePath: string): void;
  /** Time in ms until a file may be due or changes may be taken; undefined when nothing is pending. */
  nextIn(nowMs: number): number | undefined;
  /** Takes the changes that are ready; undefined while they must wait. */
  take(nowMs: number): TakenChanges | undefined;
  /** Puts back changes that could not be passed on. Newer changes of the same file take precedence. */
  putBack(taken: TakenChanges, nowMs: number): void;
}

export function createPendingChanges({ settle_ms, quiet_ms, max_wait_ms }: PendingTimes): PendingChanges {
  const touched = new Map<string, Touched>();
  let gone = new Set<string>();
  let goneFolders = new Set<string>();
  let nSettled = 0;
  let lastNewsMs = 0;
  let waitingSinceMs = 0;

  const isEmpty = () => touched.size === 0 && gone.size === 0 && goneFolders.size === 0;
  const isTakeable = () => nSettled > 0 || gone.size > 0 || goneFolders.size > 0;

  /** Time from which the ready changes may be taken. */
  function takeAt(): number {
    const afterQuiet = nSettled === touched.size ? lastNewsMs + quiet_ms : Number.POSITIVE_INFINITY;
    return Math.min(afterQuiet, waitingSinceMs + max_wait_ms);
  }

  function news(nowMs: number): void {
    if (isEmpty()) waitingSinceMs = nowMs;
    lastNewsMs = nowMs;
  }

  function drop(filePath: string): void {
    if (touched.get(filePath)?.settled) nSettled -= 1;
    touched.delete(filePath);
  }

  return {
    isEmpty,
    noteTouched: (filePath, state, nowMs) => {
      const before = touched.get(filePath)?.state;
      if (before && state && isSameState(before, state)) return;
      news(nowMs);
      gone.delete(filePath);
      drop(filePath);
      touched.set(filePath, { state, check_at_ms: nowMs + (state ? settle_ms : 0), settled: false });
    },
    noteRemoved: (filePath, nowMs) => {
      if (gone.has(filePath)) return;
      news(nowMs);
      drop(filePath);
      gone.add(filePath);
    },
    noteRemovedFolder: (filePath, nowMs) => {
      news(nowMs);
      goneFolders.add(filePath);
    },
    due: (nowMs) => {
      const due: string[] = [];
      for (const [filePath, { settled, check_at_ms }] of touched) {
        if (!settled && check_at_ms <= nowMs) due.push(filePath);
      }
      return due;
    },
    noteChecked: (filePath, state, nowMs) => {
      const entry = touched.get(filePath);
      if (!entry || entry.settled) return;
      if (isSameState(entry.state, state)) {
        entry.settled = true;
        nSettled += 1;
        return;
      }
      if (entry.state) lastNewsMs = nowMs;
      entry.state = state;
      entry.check_at_ms = nowMs + settle_ms;
    },
    forget: drop,
    nextIn: (nowMs) => {
      if (isEmpty()) return undefined;
      let nextMs = isTakeable() ? takeAt() : Number.POSITIVE_INFINITY;
      for (const { settled, check_at_ms } of touched.values()) {
        if (!settled && check_at_ms < nextMs) nextMs = check_at_ms;
      }
      return Math.max(0, nextMs - nowMs);
    },
    take: (nowMs) => {
      if (!isTakeable() || nowMs < takeAt()) return undefined;
      const settled = new Map<string, FileState>();
      for (const [filePath, entry] of touched) {
        if (entry.settled && entry.state) settled.set(filePath, entry.state);
      }
      for (const filePath of settled.keys()) touched.delete(filePath);
      const taken = { settled, gone, gone_folders: goneFolders };
      gone = new Set();
      goneFolders = new Set();
      nSettled = 0;
      waitingSinceMs = nowMs;
      return taken;
    },
    putBack: (taken, nowMs) => {
      if (isEmpty()) waitingSinceMs = nowMs;
      for (const [filePath, state] of taken.settled) {
        if (touched.has(filePath) || gone.has(filePath)) continue;
        touched.set(filePath, { state, check_at_ms: nowMs, settled: true });
        nSettled += 1;
      }
      for (const filePath of taken.gone) if (!touched.has(filePath)) gone.add(filePath);
      for (const folder of taken.gone_folders) goneFolders.add(folder);
    },
  };
}

/** Whether a file is unchanged. File systems and databases round times differently, by less than a millisecond. */
export function isSameState(a: FileState | undefined, b: FileState): boolean {
  return a !== undefined && a.size_bytes === b.size_bytes && Math.abs(a.mtime_ms - b.mtime_ms) < 1;
}
