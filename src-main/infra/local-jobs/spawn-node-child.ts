import { type ChildProcess, fork } from 'node:child_process';
import type { ChildHandle, SpawnChild } from '../../core/ports/child-process.ts';
import type { Log } from '../../core/ports/log.ts';
import { HEAP_ARGUMENTS } from '../semi-space.ts';

/** Maximum time in ms for messages of a dead child to arrive. */
const DRAIN_MS = 1000;
const STDERR_LOGGED_CHARS = 2000;

/** Starts compute processes as forks of this Node, with stderr into the log. The name is an argument, so that lists of processes show it. */
export function spawnNodeChild(log: Log): SpawnChild {
  return (entryFile, name) => {
    const child = fork(entryFile, [name], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [...HEAP_ARGUMENTS],
      windowsHide: true,
    });
    const childLog = log.child({ compute_process: name, pid: child.pid });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      childLog.debug({ stderr: text.slice(0, STDERR_LOGGED_CHARS) }, 'compute process wrote to stderr');
    });
    return handleOf(child, childLog);
  };
}

function handleOf(child: ChildProcess, log: Log): ChildHandle {
  const exitListeners: ((reason: string) => void)[] = [];
  let exitReason: string | undefined;
  const exited = (reason: string): void => {
    if (exitReason !== undefined) return;
    exitReason = reason;
    for (const listener of exitListeners) listener(reason);
  };
  // Results sent just before the end are still in the channel at 'exit'; 'disconnect' comes after them.
  child.once('exit', (code, signal) => {
    const reason = signal === null ? `exit code ${code}` : `signal ${signal}`;
    if (!child.connected) {
      setImmediate(exited, reason);
      return;
    }
    const drainLimit = setTimeout(exited, DRAIN_MS, reason);
    child.once('disconnect', () => {
      clearTimeout(drainLimit);
      setImmediate(exited, reason);
    });
  });
  child.on('error', (error) => {
    log.debug({ err: error }, 'compute process reported an error');
    if (child.pid === undefined) exited(`not started: ${error.message}`);
  });
  return {
    pid: child.pid,
    send: (message) => {
      child.send(message as object, (error) => {
        if (error !== null) log.debug({ err: error }, 'message to a compute process was lost');
      });
    },
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => {
      if (exitReason === undefined) exitListeners.push(listener);
      else listener(exitReason);
    },
    kill: () => child.kill('SIGKILL'),
  };
}
