import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { Log } from '../../core/ports/log.ts';

const { PRIORITY_NORMAL, PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * How a process shares the processors: work that somebody waits for runs like the core; indexing and models give way to it and to other
 * programs; comparing, maps and other work that nobody waits for gives way to both.
 */
export type ProcessPriority = 'awaited' | 'work' | 'background';

/**
 * Niceness. On Linux a step of 5 is a third of the processor time; more would stop the work while other programs are busy. Windows has
 * classes: normal, below normal and idle, which it never starves.
 */
const NICENESS: Readonly<Record<ProcessPriority, number>> =
  process.platform === 'win32'
    ? { awaited: PRIORITY_NORMAL, work: PRIORITY_BELOW_NORMAL, background: PRIORITY_LOW }
    : { awaited: PRIORITY_NORMAL, work: 5, background: 8 };

/** Sets the priority of a process that this one started. Call it again when the process runs: the first call may come too early. */
export function givePriority(pid: number | undefined, priority: ProcessPriority, log: Log): void {
  if (pid === undefined || priority === 'awaited') return;
  try {
    // Nobody but an administrator may give a process a higher priority than it has.
    const niceness = Math.max(getPriority(), NICENESS[priority]);
    for (const thread of threadsOf(pid)) setPriority(thread, niceness);
  } catch (error) {
    log.debug({ err: error, pid }, 'compute process keeps its normal priority');
  }
}

/** Linux stores niceness per thread; a new thread inherits it. */
function threadsOf(pid: number): number[] {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
}
