/** A model that stays loaded between jobs of one process. */
export interface Releasable {
  release(): Promise<void>;
}

/** Maximum number of loaded models in addition to those of the current job. */
const MAX_WARM = 4;

interface Held {
  opening: Promise<Releasable>;
  job: number;
}

/** Loaded models, the least recently used first. */
const held = new Map<string, Held>();
let currentJob = 0;

/** Marks the start of a job: models that it uses stay loaded until the next job starts. */
export function beginWarmJob(): void {
  currentJob += 1;
}

/**
 * Returns the model loaded under this key, or loads it with `open`. Loading releases the least recently used models, but never those of the
 * current job.
 */
export async function warm<T extends Releasable>(key: string, open: () => Promise<T>): Promise<T> {
  const known = held.get(key);
  held.delete(key);
  if (known === undefined) await release();
  const opening = known?.opening ?? open();
  held.set(key, { opening, job: currentJob });
  try {
    return (await opening) as T;
  } catch (error) {
    if (held.get(key)?.opening === opening) held.delete(key);
    throw error;
  }
}

async function release(): Promise<void> {
  for (const [key, { opening, job }] of held) {
    if (held.size < MAX_WARM) return;
    if (job === currentJob) continue;
    held.delete(key);
    await (await opening).release();
  }
}
