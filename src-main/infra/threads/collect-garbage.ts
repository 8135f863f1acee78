import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Delay in milliseconds, so that several calls cause one collection: it stops the thread for some tens of milliseconds. */
const DELAY_MS = 30_000;

let isDue = false;
let collect: (() => void) | undefined;

/**
 * Collects the garbage of this thread in a while. V8 collects when the JavaScript heap has grown. It does not count shared memories, such as
 * those of vectors: their pages and address space stay in use until every thread that had them has collected its garbage.
 */
export function collectGarbageSoon(): void {
  if (isDue) return;
  isDue = true;
  const run = () => {
    isDue = false;
    collect ??= exposedCollector();
    collect();
  };
  setTimeout(run, DELAY_MS).unref();
}

/** Contexts that are made after the flag is set have the function `gc`. */
function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
