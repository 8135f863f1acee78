import { MessageChannelMain, type UtilityProcess, utilityProcess } from 'electron';
import type { FromCore, ToCore } from '../ipc/core-link.ts';

/**
 * Starts compute processes for the core as utility processes and connects each to the core's process by a port, so that their messages do
 * not pass through this process. They end with the core.
 */
export class ComputeChildren {
  readonly #core: UtilityProcess;
  readonly #children = new Set<UtilityProcess>();

  constructor(core: UtilityProcess) {
    this.#core = core;
  }

  start({ child_id, entry_file, name }: FromCore & { type: 'spawn' }): void {
    const child = utilityProcess.fork(entry_file, [], {
      serviceName: `Vitrine ${name}`,
      stdio: ['ignore', 'ignore', 'pipe'],
      execArgv: [],
    });
    this.#children.add(child);
    child.stderr?.on('data', (chunk: Buffer) => this.#tell({ type: 'child_stderr', child_id, text: chunk.toString() }));
    const { port1, port2 } = new MessageChannelMain();
    child.postMessage({ type: 'port' }, [port1]);
    this.#core.postMessage({ type: 'child_port', child_id } satisfies ToCore, [port2]);
    child.once('spawn', () => {
      if (child.pid !== undefined) this.#tell({ type: 'child_spawned', child_id, pid: child.pid });
    });
    child.once('exit', (code) => {
      this.#children.delete(child);
      this.#tell({ type: 'child_ended', child_id, reason: `exit code ${code}` });
    });
  }

  /** Ends all of them: the core that they worked for has ended. */
  endAll(): void {
    for (const child of this.#children) forceEnd(child);
  }

  #tell(message: ToCore): void {
    this.#core.postMessage(message);
  }
}

/** Electron's `kill` sends SIGTERM, which a process that is stuck in native code ignores. */
export function forceEnd(child: UtilityProcess): void {
  if (child.pid === undefined) {
    child.kill();
    return;
  }
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
