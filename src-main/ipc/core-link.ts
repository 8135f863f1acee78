import type { NavigationDetails } from './electron-ipc.ts';

/*
 * Messages between Electron's main process, which keeps windows and shell, and the utility process that runs the core. Compute processes
 * are started by the main process, because a utility process cannot start another, and talk to the core by a port of their own.
 */

/** How the core starts. */
export interface CoreStart {
  data_folder: string;
  /** 0 picks a free port. */
  port: number;
  renderer_folder: string;
  version: string;
  /** Whether the main process encrypts keys with the operating system's key store. */
  has_key_wrap: boolean;
  /** Login session of the windows before the core's process was started again. */
  session_token: string | undefined;
}

export type SenderEvent =
  | { event: 'destroyed' | 'render-process-gone' }
  | { event: 'did-start-navigation'; details: NavigationDetails };

export type ToCore =
  | { type: 'start'; start: CoreStart }
  | { type: 'call'; call_id: number; sender_id: number; is_trusted: boolean; channel: string; values: unknown[] }
  | ({ type: 'sender_event'; sender_id: number } & SenderEvent)
  /** Comes with the port of the compute process. */
  | { type: 'child_port'; child_id: number }
  | { type: 'child_spawned'; child_id: number; pid: number }
  | { type: 'child_stderr'; child_id: number; text: string }
  | { type: 'child_ended'; child_id: number; reason: string }
  /** null when the key store refuses. */
  | { type: 'key'; key_id: number; key: Uint8Array | null }
  | { type: 'close' };

export type FromCore =
  | { type: 'ready'; base_url: string; setup_url: string | null }
  /** `sentence` is for people; without one the failure is unforeseen and `stack` describes it. */
  | { type: 'failed'; sentence: string | undefined; stack: string }
  | { type: 'answer'; call_id: number; value: unknown }
  | { type: 'send'; sender_id: number; channel: string; values: unknown[] }
  | { type: 'session'; token: string | undefined }
  | { type: 'spawn'; child_id: number; entry_file: string; name: string }
  | { type: 'wrap' | 'unwrap'; key_id: number; key: Uint8Array };

/** One end of a port between two processes. Electron's `MessagePortMain` matches it. */
export interface LinkPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
}

/** The core's end of the link. */
export interface CoreLink {
  post(message: FromCore): void;
  onMessage(listener: (message: ToCore, ports: readonly LinkPort[]) => void): void;
}
