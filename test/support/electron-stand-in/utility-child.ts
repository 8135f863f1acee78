import { EventEmitter } from 'node:events';

/*
 * Given to a forked Node by `--import`: the `process.parentPort` of a utility process, over the fork's own channel, and the end of the
 * process with that of its parent.
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
