import type { AppliedImage, DeviceCheck, ModelRef } from '../../core/ports/inference.ts';
import type { ImageRequest, ImageResult, LocalJobs } from '../../core/ports/local-jobs.ts';
import type { Log } from '../../core/ports/log.ts';
import { HOST_TIMES, type HostTimes, RemoteHost } from './remote-host.ts';

/** Processes that a host is expected to have until it has answered. */
const EXPECTED_PROCESSES = 16;
/** Number of images that are described in one call. */
const GROUP_IMAGES = 16;
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

/** Calls of {@link LocalJobs.applyModels} and {@link LocalJobs.describeImages} that are spread over this machine and the inference hosts. */
export interface SpreadJobs {
  localJobs: LocalJobs;
  /** Asks all hosts for their state. */
  checkHosts(): Promise<DeviceCheck[]>;
}

interface Work<Result> {
  /** Models that a host must have. */
  models: readonly ModelRef[];
  signal: AbortSignal | undefined;
  /** Does the work on this machine alone. */
  here(): Promise<Result>;
  /** Does the work with a host. @throws HostProblem. */
  on(host: RemoteHost): Promise<Result>;
}

interface Call extends Work<void> {
  /** Number of hosts that failed on this call. */
  failures: number;
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
        const at = waiting.findIndex((call) => call.failures < MAX_HOST_FAILURES && host.canRun(call.models));
        const [call] = at < 0 ? [] : waiting.splice(at, 1);
        if (call === undefined) break;
        void runOn(host, call);
      }
    }
  };

  const runHere = async (call: Call): Promise<void> => {
    nLocal += 1;
    await call.here().catch(call.reject);
    nLocal -= 1;
    dispatch();
  };

  const runOn = async (host: RemoteHost, call: Call): Promise<void> => {
    try {
      await call.on(host);
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

  const spread = <Result>({ models, signal, here, on }: Work<Result>): Promise<Result> => {
    if (hostsNow().length === 0 && waiting.length === 0) return here();
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const call: Call = {
      models,
      signal,
      failures: 0,
      here: async () => resolve(await here()),
      on: async (host) => resolve(await on(host)),
      reject,
    };
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

  const applyModels: LocalJobs['applyModels'] = async (items, models, signal, boxModels) =>
    spread({
      models: [...models, ...(boxModels ?? [])],
      signal,
      here: () => local.applyModels(items, models, signal, boxModels),
      on: async (host) =>
        completed(items, await host.apply({ items, models, boxModels }, signal), (rest) =>
          local.applyModels(rest, models, signal, boxModels),
        ),
    });

  /** A host computes only vectors of the `meaning` space, which take most of the time. All else about an image is read here. */
  const describeImages: LocalJobs['describeImages'] = async (items, encoders, signal) => {
    const { looks, meaning } = encoders;
    if (meaning === undefined || hostsNow().length === 0) return local.describeImages(items, encoders, signal);
    const models = [meaning.model];
    const describe = (group: ImageRequest[]): Promise<ImageResult[]> => {
      let withoutMeaning: Promise<ImageResult[]> | undefined;
      return spread({
        models,
        signal,
        here: () => local.describeImages(group, encoders, signal),
        on: async (host) => {
          withoutMeaning ??= local.describeImages(group, { looks }, signal);
          const applied = host.apply({ items: group, models, boxModels: undefined }, signal);
          const found = withMeaning(...(await Promise.all([withoutMeaning, applied])), meaning.dim);
          return completed(group, found, (rest) => local.describeImages(rest, encoders, signal));
        },
      });
    };
    return (await Promise.all(groupsOf(items).map(describe))).flat();
  };

  return {
    localJobs: replacing(local, {
      get size() {
        return hostsNow().reduce((sum, { processes = EXPECTED_PROCESSES }) => sum + processes, local.size);
      },
      applyModels,
      describeImages,
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

/** Returns the results of all items in their order: those that were found, and those that `complete` returns for the rest. */
async function completed<Result extends { key: number }>(
  items: ImageRequest[],
  found: readonly Result[],
  complete: (rest: ImageRequest[]) => Promise<Result[]>,
): Promise<Result[]> {
  const byKey = new Map(found.map((result) => [result.key, result]));
  const rest = items.filter(({ key }) => !byKey.has(key));
  for (const result of rest.length > 0 ? await complete(rest) : []) byKey.set(result.key, result);
  return items.flatMap(({ key }) => byKey.get(key) ?? []);
}

/** Returns the descriptions with their vectors of the `meaning` space, without the images that have none. */
function withMeaning(described: readonly ImageResult[], applied: readonly AppliedImage[], dim: number): ImageResult[] {
  const byKey = new Map(applied.map((result) => [result.key, result]));
  return described.flatMap((result) => {
    if (!result.ok) return result;
    const found = byKey.get(result.key);
    const [output] = found?.ok ? found.outputs : [];
    if (output?.kind !== 'vector' || output.vector.length !== dim) return [];
    return { ...result, vectors: { ...result.vectors, meaning: output.vector } };
  });
}

/** The time limit of a host follows from its longest call so far, so calls are of about equal size. */
function groupsOf(items: ImageRequest[]): ImageRequest[][] {
  const nGroups = Math.ceil(items.length / GROUP_IMAGES);
  return Array.from({ length: nGroups }, (_, nth) => items.slice(nth * GROUP_IMAGES, (nth + 1) * GROUP_IMAGES));
}
