import { type Message, message } from '../../contract/messages.ts';
import type { HostDescription } from '../../contract/schemas/inference.ts';
import type { AppliedImage, DeviceCheck, ModelRef } from '../../core/ports/inference.ts';
import type { Log } from '../../core/ports/log.ts';
import { applyOnHost, describeHost, type HostAccess, HostProblem, type HostWork } from './host-client.ts';
import { missingOf } from './inference-host.ts';

export interface HostTimes {
  /** Pause after a failure, doubled with each further one up to the second value. */
  retryMs: readonly [first: number, most: number];
  /** Maximum time of the first request, during which the host loads its models. */
  firstMs: number;
  /** Minimum for the limit of later requests, which grows with the longest so far. */
  leastMs: number;
}

export const HOST_TIMES: HostTimes = { retryMs: [1000, 60_000], firstMs: 300_000, leastMs: 20_000 };

/** Limit of a request, as a multiple of the longest one so far. */
const PATIENCE = 10;

/** One inference host: what it offers, why it cannot be used, and when to try it again. */
export class RemoteHost {
  readonly #access: HostAccess;
  readonly #times: HostTimes;
  readonly #log: Log;
  readonly #onChange: () => void;
  #description: HostDescription | undefined;
  #problem: Message | null = null;
  #failures = 0;
  #retryAt = 0;
  #running = 0;
  #longestMs = 0;
  #check: Promise<void> | undefined;

  /** @param onChange Called when the host may take work. */
  constructor(access: HostAccess, times: HostTimes, log: Log, onChange: () => void) {
    this.#access = access;
    this.#times = times;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Number of its processes; undefined until it has answered. */
  get processes(): number | undefined {
    return this.#description?.processes;
  }

  /** Whether the host may take a request now: each process has one, and one more waits. */
  get isFree(): boolean {
    return this.#description !== undefined && this.#running <= this.#description.processes;
  }

  /** Asks for the host's version and models, unless they are known or the host has failed shortly before. */
  check(): Promise<void> {
    if (this.#description !== undefined || Date.now() < this.#retryAt) return Promise.resolve();
    this.#check ??= this.#describe().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  /** Whether the host has the exact versions of all models. The ones that it lacks become its problem. */
  canRun(models: readonly ModelRef[]): boolean {
    if (this.#description === undefined) return false;
    const missing = missingOf(models, this.#description.models);
    if (missing.length > 0) this.#note(message('host_models_differ', { models: missing.join(', ') }));
    return missing.length === 0;
  }

  /** @throws HostProblem, after which the host takes no work for a while; AbortError when `signal` aborts. */
  async apply(work: HostWork, signal: AbortSignal | undefined): Promise<AppliedImage[]> {
    const startedAt = performance.now();
    const { firstMs, leastMs } = this.#times;
    const limit = AbortSignal.timeout(this.#longestMs === 0 ? firstMs : Math.max(leastMs, this.#longestMs * PATIENCE));
    this.#running += 1;
    try {
      const results = await applyOnHost(this.#access, work, signal ? AbortSignal.any([signal, limit]) : limit);
      this.#longestMs = Math.max(this.#longestMs, performance.now() - startedAt);
      this.#failures = 0;
      return results;
    } catch (error) {
      signal?.throwIfAborted();
      this.#fail(error);
      throw error;
    } finally {
      this.#running -= 1;
    }
  }

  status(): DeviceCheck {
    return { provider: this.#access.address, works: this.#description !== undefined, problem: this.#problem };
  }

  async #describe(): Promise<void> {
    try {
      this.#description = await describeHost(this.#access);
      this.#note(null);
      this.#onChange();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    // Further requests that fail together with the first one say nothing new.
    const isKnown = this.#description === undefined && this.#retryAt > Date.now();
    this.#description = undefined;
    this.#note(error instanceof HostProblem ? error.reason : message('host_unreachable'), error);
    if (isKnown) return;
    const [first, most] = this.#times.retryMs;
    const pauseMs = Math.min(most, first * 2 ** this.#failures);
    this.#failures += 1;
    this.#retryAt = Date.now() + pauseMs;
    setTimeout(this.#onChange, pauseMs).unref();
  }

  #note(problem: Message | null, error?: unknown): void {
    if (problem?.code === this.#problem?.code) return;
    const host = this.#access.address;
    if (problem === null) this.#log.info({ host }, 'an inference host can be used');
    else this.#log.warn({ host, problem: problem.code, err: error }, 'an inference host cannot be used');
    this.#problem = problem;
  }
}
