import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second, as Linux reports them on every processor that Node runs on. */
const TICKS_PER_S = 100;

/** Returns processor seconds of a process and its descendants, including descendants that have ended. Linux only. */
export async function cpuSecondsOf(root: number): Promise<number> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Processes may start or end meanwhile. The process name in brackets may contain any character.
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 15) continue;
    // utime, stime, and the times of children that have ended.
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
