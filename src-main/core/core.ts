import type { AppEvent } from '../contract/events.ts';
import type { RealmRole, WorkspaceRole } from '../contract/permissions.ts';
import type { JsonResult } from './json-result.ts';

/** The caller. Determined in the adapters (local owner, token or session); all callers are handled alike afterwards. */
export interface Principal {
  user_id: string;
  email: string;
  name: string;
  /** The primary workspace of the service if the caller is a member of it, else the first that they joined; null if none. */
  workspace_id: string | null;
  /** Role in that workspace. */
  role: WorkspaceRole | null;
  /** Whether `workspace_id` is the primary workspace of the service. */
  in_primary_workspace: boolean;
  realm_roles: readonly RealmRole[];
  /** Set if the caller has a session. */
  session_id: string | null;
  /** Expiry of the caller's token, in milliseconds since the epoch; null if the caller sent no token. */
  token_until_ms: number | null;
  /** Whether the caller may access everything. */
  is_local_owner: boolean;
  /** Whether another user set the password: the caller may only change it. */
  must_change_password: boolean;
}

/** The principal of a caller who is not signed in, for operations that anyone may call. */
export const ANONYMOUS: Principal = {
  user_id: '',
  email: '',
  name: '',
  workspace_id: null,
  role: null,
  in_primary_workspace: false,
  realm_roles: [],
  session_id: null,
  token_until_ms: null,
  is_local_owner: false,
  must_change_password: false,
};

/** The credentials of a caller. */
export interface Credentials {
  /** Token that is sent with every call; it takes precedence over a session. */
  bearer: string | undefined;
  /** The token of a session. */
  session: string | undefined;
}

/** The origin of a call, for lists of sessions and the audit log. */
export interface Caller {
  /** An IP address, or `desktop` for the app's own window. */
  address: string;
  /** Name of the calling program, as sent by it. */
  client: string;
}

/** The context that is passed with the input of a call. */
export interface CallContext extends Caller {
  principal: Principal;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** Base URL by which the caller reached the service, such as `http://127.0.0.1:2080`; signed media URLs start with it. */
  baseUrl: string;
  /** Whether the result may be a {@link JsonResult}. */
  takesJson?: boolean;
}

/** Amounts that monitors ask for. */
export interface ServiceCounts {
  tasks: { type: string; status: string; count: number }[];
  datasets: { status: string; count: number }[];
  /** Running compute processes, and how many ended unexpectedly since the start. */
  compute: { processes: number; deaths: number };
}

export interface MetricsSource {
  /** The key that monitors send; empty if there are no metrics. */
  key(): string;
  read(): ServiceCounts;
}

/** The core's interface for its adapters (http, ipc, desktop). */
export interface Core {
  /**
   * Authenticates a caller. Adapters call it before every operation that is not open to anyone. While authentication is off every caller is
   * the local owner, whatever the credentials.
   * @throws AppError `unauthenticated`.
   */
  authenticate(credentials: Credentials): Promise<Principal>;
  /** Whether the caller's session or token is still valid; the check does not prolong a session. */
  isSignedIn(principal: Principal): boolean;
  /**
   * Validates the input, checks permission and feature flag, runs the operation and returns its output.
   * @throws AppError for every failure; an unexpected error becomes `internal` and is logged once.
   */
  invoke(operationId: string, input: unknown, context: CallContext): Promise<unknown | JsonResult<unknown>>;
  /** Calls the listener on every event until the returned function is called. */
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Whether the caller may receive an event. */
  mayHear(principal: Principal, event: AppEvent): boolean;
  /** The local owner, for commands in the same process. */
  localOwner(): Principal;
  /** Stops claiming tasks, waits briefly for running ones, and leaves the rest to recovery. */
  close(): Promise<void>;
}
