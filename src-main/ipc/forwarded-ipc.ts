import { EventEmitter } from 'node:events';
import type { CoreLink, ToCore } from './core-link.ts';
import type { IpcHost, IpcMessageEvent, IpcSender } from './electron-ipc.ts';

type Listener = Parameters<IpcHost['handle']>[1];

/** `ipcMain` as the core's process sees it: the main process forwards the calls of its windows here. */
export class ForwardedIpc implements IpcHost {
  readonly #link: CoreLink;
  readonly #handlers = new Map<string, Listener>();
  readonly #senders = new Map<number, ForwardedSender>();

  constructor(link: CoreLink) {
    this.#link = link;
    link.onMessage((message) => {
      if (message.type === 'call') void this.#answer(message);
      else if (message.type === 'sender_event') this.#note(message);
    });
  }

  handle(channel: string, listener: Listener): void {
    this.#handlers.set(channel, listener);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  async #answer(call: ToCore & { type: 'call' }): Promise<void> {
    const event: IpcMessageEvent = {
      sender: this.#senderOf(call.sender_id),
      // The main process knows the windows and decides which of them to trust.
      senderFrame: call.is_trusted ? { url: '', parent: null } : null,
    };
    const value = await this.#handlers.get(call.channel)?.(event, ...call.values);
    this.#link.post({ type: 'answer', call_id: call.call_id, value });
  }

  #note(message: ToCore & { type: 'sender_event' }): void {
    const sender = this.#senders.get(message.sender_id);
    if (message.event === 'did-start-navigation') sender?.emit(message.event, message.details);
    else if (message.event === 'render-process-gone') sender?.emit(message.event);
    else {
      this.#senders.delete(message.sender_id);
      sender?.destroy();
    }
  }

  #senderOf(id: number): ForwardedSender {
    const known = this.#senders.get(id);
    if (known !== undefined) return known;
    const sender = new ForwardedSender(id, this.#link);
    this.#senders.set(id, sender);
    return sender;
  }
}

/** Whether a forwarded call comes from a page that the main process trusts. */
export function isFromTrustedPage(event: IpcMessageEvent): boolean {
  return event.senderFrame !== null;
}

/** A window's page in another process. */
class ForwardedSender extends EventEmitter implements IpcSender {
  readonly id: number;
  readonly #link: CoreLink;
  #isDestroyed = false;

  constructor(id: number, link: CoreLink) {
    super();
    this.id = id;
    this.#link = link;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  send(channel: string, ...values: unknown[]): void {
    this.#link.post({ type: 'send', sender_id: this.id, channel, values });
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.emit('destroyed');
  }
}
