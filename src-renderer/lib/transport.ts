import type { AppEvent } from '../../src-main/contract/events.ts';

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** How the renderer reaches the core: IPC in the desktop app, HTTP in a browser. */
export interface Transport {
  /** @throws ApiError when the operation fails or nothing answers. */
  call(operation: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>;
  /** Calls the listener on every event until the returned function is called. */
  subscribe(listener: (event: AppEvent) => void): () => void;
}
