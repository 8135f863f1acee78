import { EventEmitter } from 'node:events';
import type { Arguments, CallableOperationId, Result } from '../contract/contract.ts';
import type { AppEvent } from '../contract/events.ts';
import type { IpcSender } from '../ipc/electron-ipc.ts';
import type { ForwardedCalls } from '../ipc/forward-ipc.ts';
import { LOCATE_CHANNEL } from '../ipc/locate-file.ts';
import { INVOKE_CHANNEL, type InvokeReply, SUBSCRIBE_CHANNEL } from '../ipc/mount-ipc.ts';

/** Ids of pages begin at 1. */
const SHELL_ID = 0;

/** The shell as a client of the core: it calls operations and hears events as the windows do, with the rights of their account. */
export class ShellClient {
  readonly #calls: ForwardedCalls;
  readonly #sender: ShellSender;

  constructor(calls: ForwardedCalls, onEvent: (event: AppEvent) => void) {
    this.#calls = calls;
    this.#sender = new ShellSender(onEvent);
  }

  /** @returns Undefined when the core refuses or is away; the shell then shows nothing. */
  async invoke<Id extends CallableOperationId>(id: Id, input: Arguments<Id>): Promise<Result<Id> | undefined> {
    const reply = (await this.#calls.callAs(this.#sender, INVOKE_CHANNEL, [id, input])) as InvokeReply | undefined;
    return reply?.ok ? (reply.result as Result<Id>) : undefined;
  }

  /** Path of the file behind a signed address; undefined if it has none of its own. */
  async locate(address: string): Promise<string | undefined> {
    const path = await this.#calls.callAs(this.#sender, LOCATE_CHANNEL, [address]);
    return typeof path === 'string' ? path : undefined;
  }

  async subscribe(): Promise<void> {
    await this.#calls.callAs(this.#sender, SUBSCRIBE_CHANNEL, [true]);
  }
}

class ShellSender extends EventEmitter implements IpcSender {
  readonly id = SHELL_ID;
  readonly #onEvent: (event: AppEvent) => void;

  constructor(onEvent: (event: AppEvent) => void) {
    super();
    this.#onEvent = onEvent;
  }

  isDestroyed(): boolean {
    return false;
  }

  send(_channel: string, event: AppEvent): void {
    this.#onEvent(event);
  }
}
