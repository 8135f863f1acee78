import type { AppEvent } from '../../src-main/contract/events.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Told, while a form is being sent, how many of its bytes are out. The desktop app sends paths, not bytes, and never calls it. */
  onSent?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** How the renderer reaches the core: IPC in the desktop app, HTTP in a browser. */
export interface Transport {
  /** @throws ApiError when the operation fails or nothing answers. */
  call(operation: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>;
  /** Calls the listener on every event from `opened` on, which resolves at once where nothing answers. */
  subscribe(listener: (event: AppEvent) => void): { opened: Promise<void> };
}
