import { EventEmitter } from 'node:events';

/*
 * Loaded into a forked Node with `--import`: provides the `process.parentPort` of a utility process over the fork's IPC channel and exits
 * when the parent process does.
 */
class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    process.send?.(message, undefined, {}, () => undefined);
  }
}

const port = new ParentPort();
process.on('message', (data) => port.emit('message', { data, ports: [] }));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
Object.defineProperty(process, 'parentPort', { value: port });
