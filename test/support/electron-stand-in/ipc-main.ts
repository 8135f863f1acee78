import type { WebContents } from './web-contents.ts';

export interface StandInIpcEvent {
  sender: WebContents;
  senderFrame: { url: string; parent: unknown };
}

type IpcListener = (event: StandInIpcEvent, ...values: unknown[]) => unknown;

const handlers = new Map<string, IpcListener>();

export const ipcMain = {
  handle: (channel: string, listener: IpcListener): void => {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, listener);
  },
  removeHandler: (channel: string): void => {
    handlers.delete(channel);
  },
};

/** Delivers a call from a page. Values are cloned as they are between processes. Every call is recorded for the test. */
export async function invokeFromPage(event: StandInIpcEvent, channel: string, values: unknown[]): Promise<unknown> {
  const handler = handlers.get(channel);
  if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
  calls.push({ channel, first: typeof values[0] === 'object' ? null : values[0] });
  return structuredClone(await handler(event, ...structuredClone(values)));
}

/** Channel and, if it is a primitive value, first argument of every call so far. */
export const calls: { channel: string; first: unknown }[] = [];
