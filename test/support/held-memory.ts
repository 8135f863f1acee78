import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the bytes of this thread's heap that are still in use: without garbage, which test processes keep for long. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Watches how many more bytes are held than now. Most calls only count; each `every`-th one collects garbage. */
export function watchHeld(every: number): { look(): void; highest(): number } {
  const before = heldBytes();
  let [calls, highest] = [0, 0];
  return {
    look: () => {
      calls += 1;
      if (calls % every === 0) highest = Math.max(highest, heldBytes() - before);
    },
    highest: () => {
      if (calls < every) throw new Error(`nothing was measured in ${calls} calls`);
      return highest;
    },
  };
}
