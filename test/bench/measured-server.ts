import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, type Server, startServer } from '../support/server.ts';

export interface LoopDelay {
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
}

export interface MeasuredServer extends Server {
  /** Event-loop delay of the core's process since the last call. */
  loopDelay(): Promise<LoopDelay>;
  /** Resident memory of the core's process and of all that it started, in bytes. Linux only. */
  memory(): Promise<number>;
}

/** A real server whose process also answers how long its event loop was held up; the probe is loaded beside the product, not in it. */
export async function startMeasuredServer(data_folder: string): Promise<MeasuredServer> {
  const probe = join(repository, 'test', 'bench', 'loop-delay-probe.ts');
  const report = join(data_folder, '..', 'loop-delay.json');
  const server = await startServer(data_folder, { NODE_OPTIONS: `--import=${probe}`, VITRINE_BENCH_REPORT: report });
  const pid = server.process.pid;
  if (pid === undefined) throw new Error('the server has no process id');
  let asked = 0;
  return {
    ...server,
    loopDelay: async () => {
      asked += 1;
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        const answer = await readFile(report, 'utf8').catch(() => '{}');
        const parsed = JSON.parse(answer || '{}') as Partial<LoopDelay & { nth: number }>;
        if (parsed.nth === asked)
          return { p50_ms: parsed.p50_ms ?? 0, p99_ms: parsed.p99_ms ?? 0, max_ms: parsed.max_ms ?? 0 };
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    memory: () => residentBytes(pid),
  };
}

async function residentBytes(root: number): Promise<number> {
  const processes = new Map<number, { parent: number; bytes: number }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1];
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    if (parent !== undefined)
      processes.set(Number(name), { parent: Number(parent), bytes: Number(kilobytes ?? 0) * 1024 });
  }
  const belongs = (pid: number): boolean =>
    pid === root || (processes.has(pid) && belongs(processes.get(pid)?.parent ?? 0));
  return [...processes].reduce((sum, [pid, { bytes }]) => (belongs(pid) ? sum + bytes : sum), 0);
}
