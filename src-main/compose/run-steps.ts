import type { Log } from '../core/ports/log.ts';

/** One named action of a start-up or a shutdown. */
export interface Step {
  name: string;
  run: () => unknown;
}

/** Runs the steps in order and stops at the first that fails. @throws The error of the failed step; the log names the step. */
export async function runSteps(phase: 'start-up' | 'shutdown', steps: readonly Step[], log: Log): Promise<void> {
  for (const step of steps) await runStep(phase, step, log);
}

/** Runs all steps in order, even if some fail. @throws The first failure; the log names each step that failed. */
export async function runAllSteps(phase: 'start-up' | 'shutdown', steps: readonly Step[], log: Log): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await runStep(phase, step, log).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function runStep(phase: string, { name, run }: Step, log: Log): Promise<void> {
  const startedAt = performance.now();
  try {
    await run();
  } catch (error) {
    log.error({ err: error, phase, step: name }, 'a step failed');
    throw error;
  }
  log.debug({ phase, step: name, duration_ms: Math.round(performance.now() - startedAt) }, 'a step finished');
}
