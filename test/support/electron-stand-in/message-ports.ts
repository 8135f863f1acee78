import { EventEmitter } from 'node:events';

/** What travels over the IPC channel of a fork: messages of the parent port, and those of ports that were transferred. */
export type Carried =
  | { kind: 'parent'; data: unknown; ports: number[] }
  | { kind: 'port'; port: number; data: unknown }
  | { kind: 'port_closed'; port: number };

interface Owner {
  carry(message: Carried): void;
}

/**
 * `MessagePortMain`. Node cannot transfer ports between processes, so the ports of a channel are numbers and the main process carries their
 * messages from one owner to the other.
 */
export class MessagePortMain extends EventEmitter {
  static #nextId = 1;
  static readonly #all = new Map<number, MessagePortMain>();
  readonly id = MessagePortMain.#nextId++;
  peer: MessagePortMain | undefined;
  #owner: Owner | undefined;
  #waiting: Carried[] = [];

  constructor() {
    super();
    MessagePortMain.#all.set(this.id, this);
  }

  static of(id: number): MessagePortMain | undefined {
    return MessagePortMain.#all.get(id);
  }

  /** Closes the ports that a process had: the other ends are told. */
  static ownerEnded(owner: Owner): void {
    for (const port of MessagePortMain.#all.values()) {
      if (port.#owner !== owner) continue;
      MessagePortMain.#all.delete(port.id);
      if (port.peer !== undefined) port.peer.receive({ kind: 'port_closed', port: port.peer.id });
    }
  }

  transferTo(owner: Owner): void {
    this.#owner = owner;
    for (const message of this.#waiting) owner.carry(message);
    this.#waiting = [];
  }

  receive(message: Carried): void {
    if (this.#owner === undefined) this.#waiting.push(message);
    else this.#owner.carry(message);
  }
}

/** `MessageChannelMain`. */
export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.peer = this.port2;
    this.port2.peer = this.port1;
  }
}
