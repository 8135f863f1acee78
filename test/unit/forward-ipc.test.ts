import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { CoreLink, FromCore, ToCore } from '../../src-main/ipc/core-link.ts';
import type { IpcHost, IpcSender } from '../../src-main/ipc/electron-ipc.ts';
import { forwardIpc } from '../../src-main/ipc/forward-ipc.ts';
import { ForwardedIpc, isFromTrustedPage } from '../../src-main/ipc/forwarded-ipc.ts';

type Listener = Parameters<IpcHost['handle']>[1];

class Page extends EventEmitter implements IpcSender {
  readonly id = 7;
  readonly received: unknown[][] = [];
  isDestroyed(): boolean {
    return false;
  }
  send(...values: unknown[]): void {
    this.received.push(values);
  }
}

/** The main process and the core's process, connected by cloned messages. */
function connected(answer: Listener) {
  const handlers = new Map<string, Listener>();
  const toCore: ((message: ToCore, ports: []) => void)[] = [];
  const posted: ToCore[] = [];
  let isUp = true;
  const calls = forwardIpc({
    ipc: {
      handle: (channel, listener) => void handlers.set(channel, listener),
      removeHandler: (channel) => void handlers.delete(channel),
    },
    isTrustedSender: (event) => event.senderFrame?.url === 'vitrine://app/',
    isCoreUp: async () => isUp,
    post: (message) => {
      posted.push(message);
      if (isUp) for (const listener of toCore) listener(structuredClone(message), []);
    },
  });
  const link: CoreLink = {
    post: (message: FromCore) => calls.take(structuredClone(message)),
    onMessage: (listener) => toCore.push(listener),
  };
  const core = new ForwardedIpc(link);
  core.handle('vitrine:invoke', answer);
  core.handle('vitrine:subscribe', (event) => event.sender.send('vitrine:event', 'hello'));
  const page = new Page();
  const invoke = (channel: string, value: unknown, url = 'vitrine://app/') =>
    handlers.get(channel)?.({ sender: page, senderFrame: { url, parent: null } }, value);
  return { calls, page, posted, invoke, setUp: (up: boolean) => (isUp = up), handlers };
}

describe('calls forwarded to the process of the core', () => {
  it('are answered there, and marked when they come from elsewhere', async () => {
    const { invoke } = connected((event, value) => ({ value, isTrusted: isFromTrustedPage(event) }));
    expect(await invoke('vitrine:invoke', 'list')).toEqual({ value: 'list', isTrusted: true });
    expect(await invoke('vitrine:invoke', 'list', 'https://example.org/')).toEqual({ value: 'list', isTrusted: false });
  });

  it('are answered as away when the core ends before its answer, and while it is away', async () => {
    const { calls, invoke, setUp } = connected(() => new Promise(() => undefined));
    const running = invoke('vitrine:invoke', 'slow');
    await new Promise((resolve) => setImmediate(resolve));
    setUp(false);
    calls.coreEnded();
    const away = { ok: false, away: true, error: { code: 'unavailable' } };
    expect(await running).toMatchObject(away);
    expect(await invoke('vitrine:invoke', 'next')).toMatchObject(away);
  });

  it('tell the core when a document leaves, and subscribe it again at a new core', async () => {
    const { calls, page, posted, invoke } = connected(() => null);
    await invoke('vitrine:subscribe', true);
    expect(page.received).toEqual([['vitrine:event', 'hello']]);
    calls.coreStarted();
    await new Promise((resolve) => setImmediate(resolve));
    expect(page.received).toHaveLength(2);
    page.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    expect(posted.at(-1)).toMatchObject({ type: 'sender_event', sender_id: 7, event: 'did-start-navigation' });
    calls.coreStarted();
    await new Promise((resolve) => setImmediate(resolve));
    expect(page.received).toHaveLength(2);
    page.emit('destroyed');
    expect(posted.at(-1)).toMatchObject({ type: 'sender_event', event: 'destroyed' });
  });

  it('stop with the app', () => {
    const { calls, handlers } = connected(() => null);
    calls.close();
    expect(handlers.size).toBe(0);
  });
});
