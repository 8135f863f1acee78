import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes by purpose of the processes: `core` (with its threads), `images`, `models`, `texts`, `index`. */
export type Memory = Record<string, number>;

export interface MemoryPeak {
  /** Peak of all processes together. */
  total_mib: number;
  /** Peak by purpose of the processes, each at its own time. */
  by_process_mib: Record<string, number>;
}

/**
 * Sampling interval in milliseconds. Reading the share of every page takes about 10 ms per process, so a shorter interval would slow down
 * the measured work.
 */
const SAMPLE_MS = 1000;

/**
 * Returns the memory of a process and its descendants as the proportional share (Pss) of every page. Resident memory would count Node's
 * program and the libraries, about 60 MiB, once more for each process that maps them. Linux only.
 */
export async function memoryOf(root: number): Promise<Memory> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = /^PPid:\s+(\d+)/m.exec(await readIfThere(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const belongs = (pid: number): boolean => pid === root || (parents.has(pid) && belongs(parents.get(pid) ?? 0));
  const memory: Memory = {};
  for (const pid of [...parents.keys()].filter(belongs)) {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(await readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
    const kind = pid === root ? 'core' : await kindOf(pid);
    memory[kind] = (memory[kind] ?? 0) + Number(kilobytes ?? 0) * 1024;
  }
  return memory;
}

export function totalOf(memory: Memory): number {
  return Object.values(memory).reduce((sum, bytes) => sum + bytes, 0);
}

export function toMib(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

/** Returns the peak memory during some work. */
export async function peakDuring(ask: () => Promise<Memory>, work: () => Promise<unknown>): Promise<MemoryPeak> {
  const done = new AbortController();
  const peaks: Memory = {};
  let total = 0;
  const watch = async () => {
    while (!done.signal.aborted) {
      const memory = await ask();
      total = Math.max(total, totalOf(memory));
      for (const [kind, bytes] of Object.entries(memory)) peaks[kind] = Math.max(peaks[kind] ?? 0, bytes);
      await pause(SAMPLE_MS);
    }
  };
  const watching = watch();
  try {
    await work();
  } finally {
    done.abort();
    await watching;
  }
  return {
    total_mib: toMib(total),
    by_process_mib: Object.fromEntries(Object.entries(peaks).map(([kind, bytes]) => [kind, toMib(bytes)])),
  };
}

/** Returns the purpose of a process. Compute processes are started with a name such as `images-2`. */
async function kindOf(pid: number): Promise<string> {
  const words = (await readIfThere(`/proc/${pid}/cmdline`)).split('\0').filter((word) => word !== '');
  return /^([a-z]+)-\d+$/.exec(words.at(-1) ?? '')?.[1] ?? 'other';
}

/** Reads a file. Returns an empty string if its process has ended meanwhile. */
function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
