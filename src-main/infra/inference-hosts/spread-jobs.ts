import type { AppliedImage, DeviceCheck, ModelRef } from '../../core/ports/inference.ts';
import type { ImageRequest, LocalJobs } from '../../core/ports/local-jobs.ts';
import type { Log } from '../../core/ports/log.ts';
import { HOST_TIMES, type HostTimes, RemoteHost } from './remote-host.ts';

/** Processes that a host is expected to have until it has answered. */
const EXPECTED_PROCESSES = 16;
/** A call that fails on this many hosts runs on this machine. */
const MAX_HOST_FAILURES = 2;

interface Parts {
  local: LocalJobs;
  /** Returns the addresses of the hosts and their secret, from the current settings. */
  hosts: () => { addresses: readonly string[]; secret: string };
  /** Version of this program. */
  version: string;
  log: Log;
  times?: HostTimes;
}

/** Calls of {@link LocalJobs.applyModels} that are spread over this machine and the inference hosts. */
export interface SpreadJobs {
  localJobs: LocalJobs;
  /** Asks all hosts for their state. */
  checkHosts(): Promise<DeviceCheck[]>;
}

interface Call {
  items: ImageRequest[];
  models: readonly ModelRef[];
  boxModels: readonly ModelRef[] | undefined;
  signal: AbortSignal | undefined;
  /** Number of hosts that failed on this call. */
  failures: number;
  resolve(results: AppliedImage[]): void;
  reject(error: unknown): void;
}

/**
 * [Note: Spreading calls]
 * Calls wait in one queue. This machine and each host take the next one as soon as they have a free process, so each gets as much work as it
 * is fast. A call that a host fails on returns to the front of the queue. This machine takes every call, so none is lost.
 */
export function createSpreadJobs({ local, hosts, version, log, times = HOST_TIMES }: Parts): SpreadJobs {
  const waiting: Call[] = [];
  let known: { key: string; hosts: RemoteHost[] } = { key: '', hosts: [] };
  let nLocal = 0;

  const hostsNow = (): RemoteHost[] => {
    const { addresses, secret } = hosts();
    const key = JSON.stringify([addresses, secret]);
    if (known.key !== key) {
      const open = (address: string) => new RemoteHost({ address, secret, version }, times, log, () => dispatch());
      known = { key, hosts: addresses.map(open) };
    }
    return known.hosts;
  };

  const dispatch = (): void => {
    while (nLocal <= local.size) {
      const call = waiting.shift();
      if (call === undefined) break;
      void runHere(call);
    }
    for (const host of waiting.length > 0 ? hostsNow() : []) {
      void host.check();
      while (host.isFree) {
        const at = waiting.findIndex((call) => call.failures < MAX_HOST_FAILURES && host.canRun(modelsOf(call)));
        const [call] = at < 0 ? [] : waiting.splice(at, 1);
        if (call === undefined) break;
        void runOn(host, call);
      }
    }
  };

  const applyHere = ({ models, boxModels, signal }: Call, items: ImageRequest[]) =>
    local.applyModels(items, models, signal, boxModels);

  const runHere = async (call: Call): Promise<void> => {
    nLocal += 1;
    try {
      call.resolve(await applyHere(call, call.items));
    } catch (error) {
      call.reject(error);
    } finally {
      nLocal -= 1;
      dispatch();
    }
  };

  const runOn = async (host: RemoteHost, call: Call): Promise<void> => {
    try {
      const results = await host.apply(call, call.signal);
      const byKey = new Map(results.map((result) => [result.key, result]));
      const rest = call.items.filter(({ key }) => !byKey.has(key));
      for (const result of rest.length > 0 ? await applyHere(call, rest) : []) byKey.set(result.key, result);
      call.resolve(call.items.flatMap(({ key }) => byKey.get(key) ?? []));
    } catch (error) {
      if (call.signal?.aborted) call.reject(error);
      else {
        call.failures += 1;
        waiting.unshift(call);
      }
    } finally {
      dispatch();
    }
  };

  const spread: LocalJobs['applyModels'] = (items, models, signal, boxModels) => {
    if (hostsNow().length === 0 && waiting.length === 0) return local.applyModels(items, models, signal, boxModels);
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<AppliedImage[]>();
    const call: Call = { items, models, boxModels, signal, failures: 0, resolve, reject };
    const stop = () => {
      const at = waiting.indexOf(call);
      if (at >= 0) waiting.splice(at, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    waiting.push(call);
    dispatch();
    return promise.finally(() => signal?.removeEventListener('abort', stop));
  };

  return {
    localJobs: replacing(local, {
      get size() {
        return hostsNow().reduce((sum, { processes = EXPECTED_PROCESSES }) => sum + processes, local.size);
      },
      applyModels: async (...call) => spread(...call),
    }),
    checkHosts: async () => {
      await Promise.all(hostsNow().map((host) => host.check()));
      return hostsNow().map((host) => host.status());
    },
  };
}

/** Returns an object with the given members, and those of another for all else. */
export function replacing<T extends object>(base: T, members: Partial<T>): T {
  return Object.setPrototypeOf(members, base) as T;
}

const modelsOf = ({ models, boxModels = [] }: Call): ModelRef[] => [...models, ...boxModels];
