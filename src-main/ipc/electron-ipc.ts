/*
 * The parts of Electron's IPC that the adapter uses, so that it can be tested without Electron. Electron's own objects match these types.
 */

/** One renderer (`WebContents`). */
export interface IpcSender {
  readonly id: number;
  isDestroyed(): boolean;
  send(channel: string, ...values: unknown[]): void;
  once(event: 'destroyed', listener: () => void): unknown;
  on(event: 'render-process-gone', listener: () => void): unknown;
  on(event: 'did-start-navigation', listener: (details: NavigationDetails) => void): unknown;
  off(event: 'render-process-gone', listener: () => void): unknown;
  off(event: 'did-start-navigation', listener: (details: NavigationDetails) => void): unknown;
}

export interface NavigationDetails {
  isMainFrame: boolean;
  isSameDocument: boolean;
}

/** The event of a message. `senderFrame` is null when the frame no longer exists. */
export interface IpcMessageEvent {
  readonly sender: IpcSender;
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/** `ipcMain`. */
export interface IpcHost {
  handle(channel: string, listener: (event: IpcMessageEvent, ...values: unknown[]) => Promise<unknown> | unknown): void;
  removeHandler(channel: string): void;
}
