import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository, type Server, startServer } from '../support/server.ts';
import { type Memory, memoryOf } from './process-memory.ts';

export interface LoopDelay {
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
}

export interface MeasuredServer extends Server {
  /** Event-loop delay of the core's process since the last call. */
  loopDelay(): Promise<LoopDelay>;
  /** See {@link memoryOf}. */
  memory(): Promise<Memory>;
}

/** Starts a real server that also reports its event-loop delay. The probe is loaded into the process and is not part of the product. */
export async function startMeasuredServer(
  dataFolder: string,
  environment: Record<string, string> = {},
): Promise<MeasuredServer> {
  const probe = join(repository, 'test', 'bench', 'loop-delay-probe.ts');
  const report = join(dataFolder, '..', 'loop-delay.json');
  const server = await startServer(dataFolder, {
    ...environment,
    NODE_OPTIONS: `--import=${probe}`,
    VITRINE_BENCH_REPORT: report,
  });
  const pid = server.process.pid;
  if (pid === undefined) throw new Error('the server has no process id');
  let requested = 0;
  return {
    ...server,
    loopDelay: async () => {
      requested += 1;
      process.kill(pid, 'SIGUSR2');
      for (;;) {
        const answer = await readFile(report, 'utf8').catch(() => '{}');
        const parsed = JSON.parse(answer || '{}') as Partial<LoopDelay & { nth: number }>;
        if (parsed.nth === requested)
          return { p50_ms: parsed.p50_ms ?? 0, p99_ms: parsed.p99_ms ?? 0, max_ms: parsed.max_ms ?? 0 };
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    memory: () => memoryOf(pid),
  };
}
