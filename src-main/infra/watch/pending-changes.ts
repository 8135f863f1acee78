export interface FileState {
  size_bytes: number;
  mtime_ms: number;
}

export interface TakenChanges {
  /** Files that stand still, as they were last seen. */
  settled: Map<string, FileState>;
  /** Files said to be gone; nobody has made sure yet. */
  gone: Set<string>;
  /** Folders said to be gone with all that was below. */
  gone_folders: Set<string>;
}

export interface PendingTimes {
  /** How long a file's size and time of change must stand still. */
  settle_ms: number;
  /** How long nothing at all may happen before changes are handed over. */
  quiet_ms: number;
  /** What stands still is handed over after this time even though there is no quiet. */
  max_wait_ms: number;
}

interface Touched {
  /** Undefined until somebody has looked. */
  state: FileState | undefined;
  check_at_ms: number;
  settled: boolean;
}

/** Changes of a folder that are not yet handed over. Times are the caller's, in ms of any steady clock. */
export interface PendingChanges {
  isEmpty(): boolean;
  /** The same news again changes nothing. */
  noteTouched(filePath: string, state: FileState | undefined, nowMs: number): void;
  noteGone(filePath: string, nowMs: number): void;
  noteGoneFolder(filePath: string, nowMs: number): void;
  /** Files to be looked at now. */
  due(nowMs: number): string[];
  /** Tells what a look at a file found: it settles when that is what was there before. */
  looked(filePath: string, state: FileState, nowMs: number): void;
  forget(filePath: string): void;
  /** Ms until there may be something due or to take; undefined when nothing is pending. */
  nextIn(nowMs: number): number | undefined;
  /** Takes what is ready; undefined while it is to be waited. */
  take(nowMs: number): TakenChanges | undefined;
  /** Puts back what could not be handed over; newer news of a file win. */
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

  /** When what is ready may be taken. */
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
    noteGone: (filePath, nowMs) => {
      if (gone.has(filePath)) return;
      news(nowMs);
      drop(filePath);
      gone.add(filePath);
    },
    noteGoneFolder: (filePath, nowMs) => {
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
    looked: (filePath, state, nowMs) => {
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

/** Whether nothing changed. File systems and databases round times differently, by less than a millisecond. */
export function isSameState(a: FileState | undefined, b: FileState): boolean {
  return a !== undefined && a.size_bytes === b.size_bytes && Math.abs(a.mtime_ms - b.mtime_ms) < 1;
}
