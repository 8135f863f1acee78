import { existsSync, readdirSync, readFileSync } from 'node:fs';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of a test file in seconds: of its process, and of the processes below it, ended or not. */
    cpu_s?: number;
  }
}

/** Describes a process: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. Only Linux has it. */
const PROCESSES = '/proc';
/** Positions of the times of a process and of its ended child processes, behind the name of the program. */
const [OWN, OF_ENDED] = [
  [11, 12],
  [13, 14],
] as const;
const TICKS_PER_S = 100;

/**
 * Returns the CPU time in seconds of this process and, on Linux, of the processes below it. The browser and the compute processes that test
 * files share do not end with a file.
 */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (!existsSync(`${PROCESSES}/self/stat`)) return own;
  const below = childrenOf(process.pid).reduce((ticks, pid) => ticks + ticksBelow(pid), 0);
  return own + (ticksOf(process.pid, OF_ENDED) + below) / TICKS_PER_S;
}

function ticksBelow(pid: number): number {
  const own = ticksOf(pid, [...OWN, ...OF_ENDED]);
  return childrenOf(pid).reduce((ticks, child) => ticks + ticksBelow(child), own);
}

function ticksOf(pid: number, positions: readonly number[]): number {
  const fields = readOrNothing(`${PROCESSES}/${pid}/stat`).split(') ').at(-1)?.split(' ').map(Number) ?? [];
  return positions.reduce((ticks, at) => ticks + (fields[at] ?? 0), 0);
}

/** Any thread of a process may have started its children. */
function childrenOf(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`${PROCESSES}/${pid}/task`);
  } catch {
    return [];
  }
  const listed = threads.map((thread) => readOrNothing(`${PROCESSES}/${pid}/task/${thread}/children`)).join(' ');
  return listed.split(' ').filter(Boolean).map(Number);
}

/** A process may end while it is looked at. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
