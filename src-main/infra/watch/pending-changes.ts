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
  noteTouched(file_path: string, state: FileState | undefined, now_ms: number): void;
  noteGone(file_path: string, now_ms: number): void;
  noteGoneFolder(file_path: string, now_ms: number): void;
  /** Files to be looked at now. */
  due(now_ms: number): string[];
  /** Tells what a look at a file found: it settles when that is what was there before. */
  looked(file_path: string, state: FileState, now_ms: number): void;
  forget(file_path: string): void;
  /** Ms until there may be something due or to take; undefined when nothing is pending. */
  nextIn(now_ms: number): number | undefined;
  /** Takes what is ready; undefined while it is to be waited. */
  take(now_ms: number): TakenChanges | undefined;
  /** Puts back what could not be handed over; newer news of a file win. */
  putBack(taken: TakenChanges, now_ms: number): void;
}

export function createPendingChanges({ settle_ms, quiet_ms, max_wait_ms }: PendingTimes): PendingChanges {
  const touched = new Map<string, Touched>();
  let gone = new Set<string>();
  let gone_folders = new Set<string>();
  let n_settled = 0;
  let last_news_ms = 0;
  let waiting_since_ms = 0;

  const isEmpty = () => touched.size === 0 && gone.size === 0 && gone_folders.size === 0;
  const isTakeable = () => n_settled > 0 || gone.size > 0 || gone_folders.size > 0;

  /** When what is ready may be taken. */
  function takeAt(): number {
    const after_quiet = n_settled === touched.size ? last_news_ms + quiet_ms : Number.POSITIVE_INFINITY;
    return Math.min(after_quiet, waiting_since_ms + max_wait_ms);
  }

  function news(now_ms: number): void {
    if (isEmpty()) waiting_since_ms = now_ms;
    last_news_ms = now_ms;
  }

  function drop(file_path: string): void {
    if (touched.get(file_path)?.settled) n_settled -= 1;
    touched.delete(file_path);
  }

  return {
    isEmpty,
    noteTouched: (file_path, state, now_ms) => {
      const before = touched.get(file_path)?.state;
      if (before && state && isSameState(before, state)) return;
      news(now_ms);
      gone.delete(file_path);
      drop(file_path);
      touched.set(file_path, { state, check_at_ms: now_ms + (state ? settle_ms : 0), settled: false });
    },
    noteGone: (file_path, now_ms) => {
      if (gone.has(file_path)) return;
      news(now_ms);
      drop(file_path);
      gone.add(file_path);
    },
    noteGoneFolder: (file_path, now_ms) => {
      news(now_ms);
      gone_folders.add(file_path);
    },
    due: (now_ms) => {
      const due: string[] = [];
      for (const [file_path, { settled, check_at_ms }] of touched) {
        if (!settled && check_at_ms <= now_ms) due.push(file_path);
      }
      return due;
    },
    looked: (file_path, state, now_ms) => {
      const entry = touched.get(file_path);
      if (!entry || entry.settled) return;
      if (isSameState(entry.state, state)) {
        entry.settled = true;
        n_settled += 1;
        return;
      }
      if (entry.state) last_news_ms = now_ms;
      entry.state = state;
      entry.check_at_ms = now_ms + settle_ms;
    },
    forget: drop,
    nextIn: (now_ms) => {
      if (isEmpty()) return undefined;
      let next_ms = isTakeable() ? takeAt() : Number.POSITIVE_INFINITY;
      for (const { settled, check_at_ms } of touched.values()) {
        if (!settled && check_at_ms < next_ms) next_ms = check_at_ms;
      }
      return Math.max(0, next_ms - now_ms);
    },
    take: (now_ms) => {
      if (!isTakeable() || now_ms < takeAt()) return undefined;
      const settled = new Map<string, FileState>();
      for (const [file_path, entry] of touched) {
        if (entry.settled && entry.state) settled.set(file_path, entry.state);
      }
      for (const file_path of settled.keys()) touched.delete(file_path);
      const taken = { settled, gone, gone_folders };
      gone = new Set();
      gone_folders = new Set();
      n_settled = 0;
      waiting_since_ms = now_ms;
      return taken;
    },
    putBack: (taken, now_ms) => {
      if (isEmpty()) waiting_since_ms = now_ms;
      for (const [file_path, state] of taken.settled) {
        if (touched.has(file_path) || gone.has(file_path)) continue;
        touched.set(file_path, { state, check_at_ms: now_ms, settled: true });
        n_settled += 1;
      }
      for (const file_path of taken.gone) if (!touched.has(file_path)) gone.add(file_path);
      for (const folder of taken.gone_folders) gone_folders.add(folder);
    },
  };
}

/** Whether nothing changed. File systems and databases round times differently, by less than a millisecond. */
export function isSameState(a: FileState | undefined, b: FileState): boolean {
  return a !== undefined && a.size_bytes === b.size_bytes && Math.abs(a.mtime_ms - b.mtime_ms) < 1;
}
