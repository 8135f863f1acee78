import { type UtilityProcess, utilityProcess } from 'electron';
import type { ChildHandle, SpawnChild } from '../core/ports/child-process.ts';

/**
 * Starts compute processes as Electron utility processes. Call only when the app is ready. `onStderr` gets their error output.
 */
export function spawnUtilityChild(onStderr: (name: string, text: string) => void): SpawnChild {
  return (entryFile, name) => startUtilityChild(entryFile, name, (text) => onStderr(name, text));
}

function startUtilityChild(entryFile: string, name: string, onStderr: (text: string) => void): ChildHandle {
  const child = utilityProcess.fork(entryFile, [], {
    serviceName: `Vitrine ${name}`,
    stdio: ['ignore', 'ignore', 'pipe'],
    execArgv: [],
  });
  child.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString('utf8')));
  const exitListeners: ((reason: string) => void)[] = [];
  let exitReason: string | undefined;
  child.once('exit', (code) => {
    exitReason = `exit code ${code}`;
    for (const listener of exitListeners) listener(exitReason);
  });
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => child.postMessage(message),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => {
      if (exitReason === undefined) exitListeners.push(listener);
      else listener(exitReason);
    },
    kill: () => forceEnd(child),
  };
}

/** Electron's `kill` sends SIGTERM, which a process that is stuck in native code ignores. */
function forceEnd(child: UtilityProcess): void {
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
