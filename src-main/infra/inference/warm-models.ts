/** What stays loaded between jobs of one process. */
export interface Releasable {
  release(): Promise<void>;
}

/** Loaded models a process keeps beside those of the job it is at. */
const MAX_WARM = 4;

interface Held {
  opening: Promise<Releasable>;
  job: number;
}

/** In the order of their last use, the least recent first. */
const held = new Map<string, Held>();
let currentJob = 0;

/** Marks the start of a job: what it asks for stays until the next one starts. */
export function beginWarmJob(): void {
  currentJob += 1;
}

/**
 * What was opened under this key before, else what `open` gives. Opening it lets go of what was used least recently; what the job that
 * runs has asked for is kept in any case.
 */
export async function warm<T extends Releasable>(key: string, open: () => Promise<T>): Promise<T> {
  const known = held.get(key);
  held.delete(key);
  if (known === undefined) await letGo();
  const opening = known?.opening ?? open();
  held.set(key, { opening, job: currentJob });
  try {
    return (await opening) as T;
  } catch (error) {
    if (held.get(key)?.opening === opening) held.delete(key);
    throw error;
  }
}

async function letGo(): Promise<void> {
  for (const [key, { opening, job }] of held) {
    if (held.size < MAX_WARM) return;
    if (job === currentJob) continue;
    held.delete(key);
    await (await opening).release();
  }
}
