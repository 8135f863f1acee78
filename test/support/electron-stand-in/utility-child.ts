import { EventEmitter } from 'node:events';
import type { Carried } from './message-ports.ts';

/*
 * Loaded into a forked Node with `--import`: provides the `process.parentPort` of a utility process over the fork's IPC channel and exits
 * when the parent process does. Ports that the parent transfers come as numbers and use the same channel.
 */
function carry(message: Carried): void {
  process.send?.(message, undefined, {}, () => undefined);
}

/** Messages wait until the process listens, as in Electron. */
class QueueingEmitter extends EventEmitter {
  #waiting: unknown[] | undefined = [];

  receive(event: unknown): void {
    if (this.#waiting === undefined) this.emit('message', event);
    else this.#waiting.push(event);
  }

  flush(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const event of waiting) this.emit('message', event);
  }
}

class TransferredPort extends QueueingEmitter {
  readonly #id: number;

  constructor(id: number) {
    super();
    this.#id = id;
  }

  postMessage(data: unknown): void {
    carry({ kind: 'port', port: this.#id, data });
  }

  start(): void {
    queueMicrotask(() => this.flush());
  }
}

class ParentPort extends QueueingEmitter {
  constructor() {
    super();
    this.once('newListener', () => setImmediate(() => this.flush()));
  }

  postMessage(data: unknown): void {
    carry({ kind: 'parent', data, ports: [] });
  }
}

const parent = new ParentPort();
const ports = new Map<number, TransferredPort>();

process.on('message', (message: Carried) => {
  if (message.kind === 'port') ports.get(message.port)?.receive({ data: message.data, ports: [] });
  else if (message.kind === 'port_closed') ports.get(message.port)?.emit('close');
  else {
    const came = message.ports.map((id) => new TransferredPort(id));
    for (const [index, id] of message.ports.entries()) {
      const port = came[index];
      if (port !== undefined) ports.set(id, port);
    }
    parent.receive({ data: message.data, ports: came });
  }
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
Object.defineProperty(process, 'parentPort', { value: parent });
