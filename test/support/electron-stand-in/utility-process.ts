import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';

const CHILD_HOOK = new URL('./utility-child.ts', import.meta.url).href;

/** A utility process: a fork of Node with a `process.parentPort`. As in Electron, it has no process id before it has spawned. */
class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly stderr: Readable | null;
  readonly #child: ChildProcess;

  constructor(moduleFile: string, args: string[]) {
    super();
    this.#child = fork(moduleFile, args, {
      execArgv: ['--import', CHILD_HOOK],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.stderr = this.#child.stderr;
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code) => {
      this.pid = undefined;
      this.emit('exit', code ?? 1);
    });
  }

  postMessage(message: object): void {
    // As in Electron, messages to a process that has exited are lost.
    this.#child.send(message, () => undefined);
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

export const utilityProcess = {
  fork: (moduleFile: string, args: string[] = []): UtilityProcess => new UtilityProcess(moduleFile, args),
};
