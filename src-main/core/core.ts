import type { AppEvent } from '../contract/events.ts';
import type { WorkspaceRole } from '../contract/permissions.ts';

/** Who calls. Decided in the adapters (loopback owner, token, session) and equal afterwards. */
export interface Principal {
  user_id: string;
  email: string;
  name: string;
  role: WorkspaceRole;
}

/** What a call carries besides its input. */
export interface CallContext {
  principal: Principal;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
  /** Address that the caller reached us by, such as `http://127.0.0.1:2080`; signed media URLs are built on it. */
  baseUrl: string;
}

/** The core as its adapters see it (http, ipc, desktop). */
export interface Core {
  /**
   * Validates the input, checks permission and feature flag, runs the operation and returns its output.
   * @throws AppError always; anything unforeseen becomes `internal` and is logged once.
   */
  invoke(operationId: string, input: unknown, context: CallContext): Promise<unknown>;
  /** Calls the listener on every event until the returned function is called. */
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** The principal of a caller on this machine while authentication is off. */
  localOwner(): Principal;
  /** Stops claiming work, waits briefly for what runs, and leaves the rest to recovery. */
  close(): Promise<void>;
}
