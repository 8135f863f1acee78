import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second, as Linux reports them on every processor that Node runs on. */
const TICKS_PER_S = 100;

interface Ticks {
  parent: number;
  own: number;
  /** Of descendants that have ended. */
  ended: number;
}

/** Returns processor seconds of a process and its descendants, including descendants that have ended. Linux only. */
export async function cpuSecondsOf(root: number): Promise<number> {
  const family = await familyOf(root);
  const ticks = [...family.values()].reduce((sum, { own, ended }) => sum + own + ended, 0);
  return ticks / TICKS_PER_S;
}

/**
 * Returns processor seconds of a process and its living descendants by name: a compute process is started with a name such as `images-2`.
 * @param rootName Name of the process itself. Its threads count as the process.
 */
export async function cpuSecondsByName(root: number, rootName: string): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {};
  for (const [pid, { own }] of await familyOf(root)) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter(Boolean);
    const name = pid === root ? rootName : (words.at(-1) ?? 'other');
    seconds[name] = (seconds[name] ?? 0) + own / TICKS_PER_S;
  }
  return seconds;
}

async function familyOf(root: number): Promise<Map<number, Ticks>> {
  const processes = new Map<number, Ticks>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Processes may start or end meanwhile. The process name in brackets may contain any character.
    const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    if (fields.length < 15) continue;
    // utime, stime, and the times of children that have ended.
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    processes.set(Number(name), { parent: Number(fields[1]), own: user + system, ended: endedUser + endedSystem });
  }
  const belongs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return pid === root || (parent !== undefined && belongs(parent));
  };
  return new Map([...processes].filter(([pid]) => belongs(pid)));
}
