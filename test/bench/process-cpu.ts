import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second: what Linux tells programs on every processor that Node runs on. */
const TICKS_PER_S = 100;

/** Seconds of processor time of a process, of what it started and of what of that has ended. Linux only. */
export async function cpuSecondsOf(root: number): Promise<number> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Processes come and go meanwhile. The name before the bracket may contain anything.
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 15) continue;
    // utime, stime, and those of children that ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  const belongs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return pid === root || (parent !== undefined && belongs(parent));
  };
  let ticks = 0;
  for (const [pid, process] of processes) if (belongs(pid)) ticks += process.ticks;
  return ticks / TICKS_PER_S;
}
