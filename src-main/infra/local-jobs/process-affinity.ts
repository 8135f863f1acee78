import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Log } from '../../core/ports/log.ts';

/** The processors that this process may use, by number; none where that is unknown, as outside of Linux. */
export function usableProcessors(): number[] {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Keeps the threads of a process that this one started on one processor. Without the program `taskset` they stay where they are. */
export function keepOnProcessor(pid: number | undefined, processor: number, log: Log): void {
  if (pid === undefined) return;
  execFile('taskset', ['-a', '-c', '-p', String(processor), String(pid)], (error) => {
    if (error) log.debug({ err: error, pid }, 'compute process is not kept on one processor');
  });
}
