import type { ChildHandle, SpawnChild } from '../core/ports/child-process.ts';
import type { Log } from '../core/ports/log.ts';
import type { CoreLink, LinkPort } from './core-link.ts';

/** Maximum time in ms for messages of a dead process to arrive. */
const DRAIN_MS = 1000;
const STDERR_LOGGED_CHARS = 2000;

/** Starts compute processes through the main process; each talks to this process by a port of its own. */
export function brokeredChildren(link: CoreLink): (log: Log) => SpawnChild {
  const children = new Map<number, BrokeredChild>();
  let nextId = 1;
  link.onMessage((message, [port]) => {
    if (message.type === 'child_port' && port !== undefined) children.get(message.child_id)?.connect(port);
    else if (message.type === 'child_spawned') children.get(message.child_id)?.spawned(message.pid);
    else if (message.type === 'child_stderr') children.get(message.child_id)?.wroteStderr(message.text);
    else if (message.type === 'child_ended') {
      children.get(message.child_id)?.ended(message.reason);
      children.delete(message.child_id);
    }
  });
  return (log) => (entryFile, name) => {
    const child = new BrokeredChild(log.child({ compute_process: name }));
    const id = nextId++;
    children.set(id, child);
    link.post({ type: 'spawn', child_id: id, entry_file: entryFile, name });
    return child;
  };
}

class BrokeredChild implements ChildHandle {
  pid: number | undefined;
  readonly #log: Log;
  readonly #listeners: ((message: unknown) => void)[] = [];
  readonly #exitListeners: ((reason: string) => void)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #port: LinkPort | undefined;
  /** Messages before the port has come. */
  #unsent: unknown[] = [];
  #exitReason: string | undefined;
  #isKilled = false;

  constructor(log: Log) {
    this.#log = log;
  }

  connect(port: LinkPort): void {
    this.#port = port;
    port.on('message', ({ data }) => {
      for (const listener of this.#listeners) listener(data);
    });
    port.on('close', () => this.#closed.resolve());
    port.start();
    for (const message of this.#unsent) port.postMessage(message);
    this.#unsent = [];
  }

  spawned(pid: number): void {
    this.pid = pid;
    if (this.#isKilled) this.kill();
  }

  wroteStderr(text: string): void {
    this.#log.debug({ stderr: text.slice(0, STDERR_LOGGED_CHARS) }, 'compute process wrote to stderr');
  }

  /** Results sent just before the end may still be in the port; its close comes after them. */
  ended(reason: string): void {
    const drained = new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
    void Promise.race([this.#closed.promise, drained]).then(() => {
      this.#exitReason = reason;
      for (const listener of this.#exitListeners) listener(reason);
    });
  }

  send(message: unknown): void {
    if (this.#port === undefined) this.#unsent.push(message);
    else this.#port.postMessage(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listeners.push(listener);
  }

  onExit(listener: (reason: string) => void): void {
    if (this.#exitReason === undefined) this.#exitListeners.push(listener);
    else listener(this.#exitReason);
  }

  /** SIGKILL: a process that is stuck in native code ignores SIGTERM. */
  kill(): void {
    this.#isKilled = true;
    if (this.pid === undefined) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch (error) {
      this.#log.debug({ err: error, pid: this.pid }, 'compute process has already ended');
    }
  }
}
