import { existsSync, readFileSync } from 'node:fs';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of a test file in seconds: of its process, and of the processes that it started and that have ended. */
    cpu_s?: number;
  }
}

/** Describes this process: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. Only Linux has it. */
const STATUS = '/proc/self/stat';
/** Positions of the user and the system time of ended child processes and of theirs, behind the name of the program. */
const [USER, SYSTEM] = [13, 14];
const TICKS_PER_S = 100;

/** Returns the CPU time in seconds of this process and, on Linux, of its ended child processes. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (!existsSync(STATUS)) return own;
  const fields = readFileSync(STATUS, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  return own + ((fields[USER] ?? 0) + (fields[SYSTEM] ?? 0)) / TICKS_PER_S;
}
