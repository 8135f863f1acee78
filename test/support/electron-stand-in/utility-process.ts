import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { onCommand, record } from './control.ts';
import { type Carried, MessagePortMain } from './message-ports.ts';

const CHILD_HOOK = new URL('./utility-child.ts', import.meta.url).href;

interface ForkOptions {
  serviceName?: string;
  stdio?: 'ignore' | 'inherit' | ('ignore' | 'pipe')[];
}

const running = new Set<UtilityProcess>();

/** A utility process: a fork of Node with a `process.parentPort`. As in Electron, it has no process id before it has spawned. */
class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly serviceName: string;
  readonly stderr: Readable | null;
  readonly #child: ChildProcess;

  constructor(moduleFile: string, args: string[], { serviceName = '', stdio = 'inherit' }: ForkOptions) {
    super();
    this.serviceName = serviceName;
    this.#child = fork(moduleFile, args, {
      execArgv: ['--import', CHILD_HOOK],
      serialization: 'advanced',
      stdio: stdio === 'inherit' ? ['ignore', 'inherit', 'inherit', 'ipc'] : ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.stderr = this.#child.stderr;
    running.add(this);
    record('utility', { serviceName });
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message: Carried) => {
      if (message.kind === 'parent') this.emit('message', message.data);
      else if (message.kind === 'port') this.#forward(message);
    });
    // After 'disconnect' no message of the child is left in the channel.
    let code = 1;
    this.#child.once('exit', (exitCode) => {
      code = exitCode ?? 1;
    });
    this.#child.once('disconnect', () => {
      running.delete(this);
      MessagePortMain.ownerEnded(this);
      setImmediate(() => {
        this.pid = undefined;
        this.emit('exit', code);
      });
    });
  }

  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    this.carry({ kind: 'parent', data: message, ports: transfer.map(({ id }) => id) });
    for (const port of transfer) port.transferTo(this);
  }

  /** As in Electron, messages to a process that has exited are lost. */
  carry(message: Carried): void {
    this.#child.send(message, () => undefined);
  }

  kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): boolean {
    return this.#child.kill(signal);
  }

  #forward({ port, data }: Carried & { kind: 'port' }): void {
    const peer = MessagePortMain.of(port)?.peer;
    peer?.receive({ kind: 'port', port: peer.id, data });
  }
}

export const utilityProcess = {
  fork: (moduleFile: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess =>
    new UtilityProcess(moduleFile, args, options),
};

onCommand('kill_utility', (name) => {
  for (const child of running) if (child.serviceName === name) child.kill('SIGKILL');
});
