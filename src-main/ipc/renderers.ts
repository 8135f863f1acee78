import type { IpcSender, NavigationDetails } from './electron-ipc.ts';

/** State of one renderer: its pending calls, and whether it is subscribed to events. */
interface Renderer {
  readonly sender: IpcSender;
  readonly calls: Set<AbortController>;
  isSubscribed: boolean;
  forget(): void;
}

/** Renderers that have called and are not destroyed yet. Navigation ends a document's calls and subscription. */
export class Renderers {
  readonly #renderers = new Map<number, Renderer>();

  /** Runs `work` with a signal that aborts when the calling document is closed. */
  async duringCall<T>(sender: IpcSender, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { calls } = this.#of(sender);
    const controller = new AbortController();
    calls.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      calls.delete(controller);
    }
  }

  setSubscribed(sender: IpcSender, isSubscribed: boolean): void {
    this.#of(sender).isSubscribed = isSubscribed;
  }

  /** Sends to every subscribed renderer. */
  broadcast(channel: string, value: unknown): void {
    for (const { sender, isSubscribed } of this.#renderers.values()) {
      if (isSubscribed && !sender.isDestroyed()) sender.send(channel, value);
    }
  }

  /** Aborts all calls and removes every renderer. */
  clear(): void {
    for (const renderer of this.#renderers.values()) {
      leaveDocument(renderer);
      renderer.forget();
    }
    this.#renderers.clear();
  }

  #of(sender: IpcSender): Renderer {
    const known = this.#renderers.get(sender.id);
    if (known !== undefined) return known;
    const onGone = (): void => leaveDocument(renderer);
    const onNavigation = (details: NavigationDetails): void => {
      if (details.isMainFrame && !details.isSameDocument) leaveDocument(renderer);
    };
    const renderer: Renderer = {
      sender,
      calls: new Set(),
      isSubscribed: false,
      forget: () => {
        if (sender.isDestroyed()) return;
        sender.off('render-process-gone', onGone);
        sender.off('did-start-navigation', onNavigation);
      },
    };
    sender.on('render-process-gone', onGone);
    sender.on('did-start-navigation', onNavigation);
    sender.once('destroyed', () => {
      leaveDocument(renderer);
      this.#renderers.delete(sender.id);
    });
    this.#renderers.set(sender.id, renderer);
    return renderer;
  }
}

function leaveDocument(renderer: Renderer): void {
  renderer.isSubscribed = false;
  for (const call of renderer.calls) call.abort();
}
