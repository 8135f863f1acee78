import { type UtilityProcess, utilityProcess } from 'electron';
import type { CoreStart, FromCore, ToCore } from '../ipc/core-link.ts';
import { ComputeChildren, forceEnd } from './compute-children.ts';
import { answerKey } from './key-wrap.ts';
import { RestartPolicy } from './restart-policy.ts';

/** Maximum time in ms for the core to end by itself: it waits briefly for running tasks. */
const CLOSE_LIMIT_MS = 30_000;

export interface CoreAddress {
  baseUrl: string;
  /** Address of the page that creates the first administrator; null if there is one or none is needed. */
  setupUrl: string | null;
}

/** A start that the core refused, with a sentence for people, such as that another process uses the data folder. */
export class CoreRefusal extends Error {}

export interface CoreProcessOptions {
  entryFile: string;
  /** Options of a start. @param port The port of the earlier process, which a later one takes again if it is free. */
  startOptions: (port: number | undefined) => Promise<Omit<CoreStart, 'session_token'>>;
  onMessage: (message: FromCore) => void;
  /** The process has ended unexpectedly; it is started again. */
  onAway: (exitCode: number | undefined) => void;
  onBack: (address: CoreAddress) => void;
  /** The process has ended too often. */
  onGivenUp: () => void;
}

/** The process of the core: started, started again after a crash, and ended with the app. */
export class CoreProcess {
  readonly #options: CoreProcessOptions;
  readonly #policy = new RestartPolicy();
  #first: Promise<CoreAddress> | undefined;
  #child: UtilityProcess | undefined;
  #state: 'starting' | 'up' | 'away' | 'closing' = 'starting';
  #port: number | undefined;
  #sessionToken: string | undefined;

  constructor(options: CoreProcessOptions) {
    this.#options = options;
  }

  /** @throws CoreRefusal when the core cannot use the data folder or the port; Error when its process ends before it answers. */
  start(): Promise<CoreAddress> {
    this.#first ??= this.#run();
    return this.#first;
  }

  /** Whether calls are answered. Waits for the first start; is false at once after a crash. */
  async isUp(): Promise<boolean> {
    if (this.#state === 'starting') await this.#first?.catch(() => undefined);
    return this.#state === 'up';
  }

  post(message: ToCore): void {
    this.#child?.postMessage(message);
  }

  /** Starts again a core that was given up. */
  retry(): void {
    this.#policy.forgive();
    void this.#restart();
  }

  /** Ends the core in an orderly way, by force after a while. */
  async close(): Promise<void> {
    this.#state = 'closing';
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const limit = setTimeout(() => forceEnd(child), CLOSE_LIMIT_MS);
    this.post({ type: 'close' });
    await ended;
    clearTimeout(limit);
  }

  async #run(): Promise<CoreAddress> {
    const options = await this.#options.startOptions(this.#port);
    const child = utilityProcess.fork(this.#options.entryFile, [], { serviceName: 'Vitrine core', stdio: 'inherit' });
    const children = new ComputeChildren(child);
    this.#child = child;
    const startedAt = performance.now();
    const answered = Promise.withResolvers<CoreAddress>();
    child.on('message', (message: FromCore) => {
      if (message.type === 'spawn') children.start(message);
      else if (message.type === 'wrap' || message.type === 'unwrap') this.post(answerKey(message));
      else if (message.type === 'session') this.#sessionToken = message.token;
      else if (message.type === 'ready') answered.resolve(this.#ready(message));
      else if (message.type === 'failed') answered.reject(failureOf(message));
      else this.#options.onMessage(message);
    });
    child.once('exit', (code) => {
      children.endAll();
      this.#child = undefined;
      answered.reject(new Error(`The core ended with exit code ${code} before it answered.`));
      if (this.#state === 'up') this.#crashed(performance.now() - startedAt, code);
    });
    child.postMessage({
      type: 'start',
      start: { ...options, session_token: this.#sessionToken },
    } satisfies ToCore);
    try {
      return await answered.promise;
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  #ready({ base_url, setup_url }: FromCore & { type: 'ready' }): CoreAddress {
    this.#port = Number(new URL(base_url).port);
    if (this.#state !== 'closing') this.#state = 'up';
    return { baseUrl: base_url, setupUrl: setup_url };
  }

  #crashed(ranMs: number, exitCode?: number): void {
    this.#state = 'away';
    this.#options.onAway(exitCode);
    const waitMs = this.#policy.afterCrash(ranMs);
    if (waitMs === undefined) this.#options.onGivenUp();
    else setTimeout(() => void this.#restart(), waitMs);
  }

  async #restart(): Promise<void> {
    if (this.#state !== 'away') return;
    try {
      this.#options.onBack(await this.#run());
    } catch (error) {
      process.stderr.write(`The core did not start again: ${String(error)}\n`);
      if (this.#state === 'away') this.#crashed(0);
    }
  }
}

function failureOf({ sentence, stack }: FromCore & { type: 'failed' }): Error {
  return sentence === undefined ? new Error(stack) : new CoreRefusal(sentence);
}
