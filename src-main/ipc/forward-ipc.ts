import { AppError, errorBody } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { FromCore, SenderEvent, ToCore } from './core-link.ts';
import type { IpcHost, IpcMessageEvent, IpcSender } from './electron-ipc.ts';
import { INVOKE_CHANNEL, type InvokeReply, SUBSCRIBE_CHANNEL } from './mount-ipc.ts';

export interface ForwardIpcOptions {
  ipc: IpcHost;
  /** Whether a message comes from the app's own page. */
  isTrustedSender: (event: IpcMessageEvent) => boolean;
  /** Resolves to whether the core takes calls: waits while it starts, and is false at once while it is away. */
  isCoreUp: () => Promise<boolean>;
  post: (message: ToCore) => void;
}

export interface ForwardedCalls {
  /** Calls the core as a trusted page would. Resolves to undefined while the core is away. */
  callAs(sender: IpcSender, channel: string, values: unknown[]): Promise<unknown>;
  /** Takes an answer or an event of the core. */
  take(message: FromCore): void;
  /** Answers every running call: the core's process has ended. */
  coreEnded(): void;
  /** Subscribes the windows again, at a core that has been started again. */
  coreStarted(): void;
  close(): void;
}

interface KnownSender {
  sender: IpcSender;
  isSubscribed: boolean;
}

/** Forwards the calls of the windows to the process of the core, and its answers and events to the windows. */
export function forwardIpc({ ipc, isTrustedSender, isCoreUp, post }: ForwardIpcOptions): ForwardedCalls {
  const senders = new Map<number, KnownSender>();
  const waiting = new Map<number, (value: unknown) => void>();
  let nextCall = 1;

  const ask = (senderId: number, isTrusted: boolean, channel: string, values: unknown[]): Promise<unknown> => {
    const callId = nextCall++;
    return new Promise((resolve) => {
      waiting.set(callId, resolve);
      post({ type: 'call', call_id: callId, sender_id: senderId, is_trusted: isTrusted, channel, values });
    });
  };
  const know = (sender: IpcSender): KnownSender => {
    const known = senders.get(sender.id) ?? follow(sender);
    senders.set(sender.id, known);
    return known;
  };
  const follow = (sender: IpcSender): KnownSender => {
    const known = { sender, isSubscribed: false };
    const tell = (event: SenderEvent): void => {
      if (event.event !== 'did-start-navigation' || (event.details.isMainFrame && !event.details.isSameDocument)) {
        known.isSubscribed = false;
      }
      post({ type: 'sender_event', sender_id: sender.id, ...event });
    };
    sender.on('render-process-gone', () => tell({ event: 'render-process-gone' }));
    sender.on('did-start-navigation', ({ isMainFrame, isSameDocument }) =>
      tell({ event: 'did-start-navigation', details: { isMainFrame, isSameDocument } }),
    );
    sender.once('destroyed', () => {
      tell({ event: 'destroyed' });
      senders.delete(sender.id);
    });
    return known;
  };

  const subscribe = async (sender: IpcSender, isSubscribed: boolean): Promise<void> => {
    const known = know(sender);
    known.isSubscribed = isSubscribed;
    if (await isCoreUp()) await ask(sender.id, true, SUBSCRIBE_CHANNEL, [isSubscribed]);
  };

  ipc.handle(INVOKE_CHANNEL, async (event, ...values) => {
    const { sender } = know(event.sender);
    const isTrusted = isTrustedSender(event);
    if (!(await isCoreUp())) return AWAY;
    return (await ask(sender.id, isTrusted, INVOKE_CHANNEL, values)) ?? AWAY;
  });
  ipc.handle(SUBSCRIBE_CHANNEL, async (event, isSubscribed) => {
    if (isTrustedSender(event)) await subscribe(event.sender, isSubscribed === true);
  });

  return {
    callAs: async (sender, channel, values) => {
      if (channel === SUBSCRIBE_CHANNEL) return subscribe(sender, values[0] === true);
      const { id } = know(sender).sender;
      return (await isCoreUp()) ? ask(id, true, channel, values) : undefined;
    },
    take: (said) => {
      if (said.type === 'answer') {
        waiting.get(said.call_id)?.(said.value);
        waiting.delete(said.call_id);
      } else if (said.type === 'send') {
        const sender = senders.get(said.sender_id)?.sender;
        if (sender !== undefined && !sender.isDestroyed()) sender.send(said.channel, ...said.values);
      }
    },
    coreEnded: () => {
      for (const resolve of waiting.values()) resolve(undefined);
      waiting.clear();
    },
    coreStarted: () => {
      for (const { sender, isSubscribed } of senders.values()) {
        if (isSubscribed) void ask(sender.id, true, SUBSCRIBE_CHANNEL, [true]);
      }
    },
    close: () => {
      ipc.removeHandler(INVOKE_CHANNEL);
      ipc.removeHandler(SUBSCRIBE_CHANNEL);
    },
  };
}

const AWAY: InvokeReply = {
  ok: false,
  away: true,
  error: errorBody(new AppError('unavailable', message('core_away'))),
};
