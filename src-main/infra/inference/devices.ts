import { availableParallelism } from 'node:os';
import { message } from '../../contract/messages.ts';
import type { DeviceCheck } from '../../core/ports/inference.ts';
import type { Log } from '../../core/ports/log.ts';
import type { DeviceRun } from '../local-jobs/child-protocol.ts';
import type { WorkerQueue } from '../local-jobs/worker-queue.ts';
import { PROCESSOR } from './session-settings.ts';

/** The devices that models can run on. */
export interface Devices {
  /** Devices in the order of use. Checked at the first call and after the requested device has changed, then cached. */
  check(): Promise<DeviceCheck[]>;
  /** Execution providers for a session; the CPU is always last. */
  providers(): Promise<string[]>;
}

/**
 * Checks devices in separate processes, since a driver may crash them.
 * @param requested Execution provider to use if it works; `auto` for the fastest.
 */
export function createDevices(queue: Pick<WorkerQueue, 'submit'>, requested: () => string, log: Log): Devices {
  let found: { requested: string; checks: Promise<DeviceCheck[]> } | undefined;
  const check = (): Promise<DeviceCheck[]> => {
    const name = requested();
    if (found?.requested === name) return found.checks;
    const checks = checkAll(queue, name === 'auto' ? '' : name, log);
    const checked = { requested: name, checks };
    found = checked;
    checks.catch(() => {
      // No process could be started; the next call checks again.
      if (found === checked) found = undefined;
    });
    return checks;
  };
  return {
    check,
    providers: async () => {
      if (requested() === PROCESSOR) return [PROCESSOR];
      const [first] = await check();
      return first === undefined || first.provider === PROCESSOR ? [PROCESSOR] : [first.provider, PROCESSOR];
    },
  };
}

async function checkAll(queue: Pick<WorkerQueue, 'submit'>, requested: string, log: Log): Promise<DeviceCheck[]> {
  const listed = await ask<string[]>(queue, 'list_devices', {});
  const candidates = [...new Set([...(requested === '' ? [] : [requested]), ...(listed.result ?? []), PROCESSOR])];
  const checks: { check: DeviceCheck; rank: number }[] = [];
  for (const provider of candidates) {
    const { result, died } = await ask<DeviceRun>(queue, 'check_device', { provider, threads: availableParallelism() });
    const check = checkOf(provider, result, died);
    checks.push({ check, rank: rankOf(provider, requested, result) });
    log.info({ provider, works: check.works, problem: check.problem?.code }, 'checked a device for models');
  }
  if (requested !== '' && checks[0]?.check.works === false) {
    log.warn({ provider: requested }, 'the chosen device does not work; models run on another');
  }
  return checks.sort((a, b) => b.rank - a.rank).map(({ check }) => check);
}

function checkOf(provider: string, result: DeviceRun | undefined, died: string | undefined): DeviceCheck {
  if (result === undefined) {
    const problem = message(died === undefined ? 'device_not_checked' : 'device_crashes');
    // The CPU needs no driver; other failures show when a model is loaded.
    return provider === PROCESSOR ? { provider, works: true, problem: null } : { provider, works: false, problem };
  }
  if (!result.works) return { provider, works: false, problem: result.problem };
  return { provider, works: true, problem: isSlow(provider, result) ? message('device_slow') : null };
}

/** A software emulation of a graphics card is slower than the CPU. */
function isSlow(provider: string, result: DeviceRun): boolean {
  return provider !== PROCESSOR && result.works && result.speed < 1;
}

function rankOf(provider: string, requested: string, result: DeviceRun | undefined): number {
  if (provider !== PROCESSOR && result?.works !== true) return 0;
  if (provider === requested) return Number.POSITIVE_INFINITY;
  return result?.works === true ? result.speed : 1;
}

async function ask<T>(
  queue: Pick<WorkerQueue, 'submit'>,
  kind: string,
  payload: object,
): Promise<{ result?: T; died?: string }> {
  return queue.submit(async (slot) => {
    const outcome = await slot.run(kind, payload, {});
    if (outcome.type === 'done') return { result: outcome.result as T };
    return outcome.type === 'died' ? { died: outcome.reason } : {};
  });
}
