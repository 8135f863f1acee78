import type { AppEvent } from '../../src-main/contract/events.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Called during an upload with the number of bytes sent. The desktop app sends paths and never calls it. */
  onSent?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** Connection to the core: IPC in the desktop app, HTTP in a browser. */
export interface Transport {
  /** @throws ApiError when the operation fails or the core does not respond. */
  call(operation: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>;
  /** Calls the listener on every event after `opened`, which also resolves if the core does not respond. */
  subscribe(listener: (event: AppEvent) => void): { opened: Promise<void> };
}
