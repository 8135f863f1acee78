import type { AppEvent } from '../contract/events.ts';
import type { RealmRole, WorkspaceRole } from '../contract/permissions.ts';

/** Who calls. Decided in the adapters (local owner, token, session) and equal afterwards. */
export interface Principal {
  user_id: string;
  email: string;
  name: string;
  /** The primary workspace of the service where the caller is a member of it, else the first they became a member of; null: none. */
  workspace_id: string | null;
  /** In that workspace. */
  role: WorkspaceRole | null;
  /** Whether that is the primary workspace of the service. */
  in_primary_workspace: boolean;
  realm_roles: readonly RealmRole[];
  /** Of a caller with a session. */
  session_id: string | null;
  /** When the time of the token is over that the caller came by; null: they came by none. */
  token_until_ms: number | null;
  /** Everything is theirs. */
  is_local_owner: boolean;
  /** The password was set by somebody else: nothing but changing it is allowed. */
  must_change_password: boolean;
}

/** Of an operation that anybody may call. */
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

/** By what a caller proves who they are. */
export interface Credentials {
  /** A token that comes with every call; it wins over a session. */
  bearer: string | undefined;
  /** The token of a session. */
  session: string | undefined;
}

/** Where a call comes from, for lists of sessions and the audit log. */
export interface Caller {
  /** An IP address, or `desktop` for the app's own window. */
  address: string;
  /** The program that calls, as it names itself. */
  client: string;
}

/** What a call carries besides its input. */
export interface CallContext extends Caller {
  principal: Principal;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
  /** Address that the caller reached us by, such as `http://127.0.0.1:2080`; signed media URLs are built on it. */
  baseUrl: string;
}

/** The core as its adapters see it (http, ipc, desktop). */
export interface Core {
  /**
   * Who a caller is; the adapters ask before every operation that is not for anybody. While authentication is off everybody is the local
   * owner, whatever they bring.
   * @throws AppError `unauthenticated`.
   */
  authenticate(credentials: Credentials): Promise<Principal>;
  /** Whether the session or the time of the token that somebody came by has not ended meanwhile; asking does not prolong it. */
  isSignedIn(principal: Principal): boolean;
  /**
   * Validates the input, checks permission and feature flag, runs the operation and returns its output.
   * @throws AppError always; anything unforeseen becomes `internal` and is logged once.
   */
  invoke(operationId: string, input: unknown, context: CallContext): Promise<unknown>;
  /** Calls the listener on every event until the returned function is called. */
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Whether an event is about something that somebody may see. */
  mayHear(principal: Principal, event: AppEvent): boolean;
  /** The person at this machine, for commands in the same process. */
  localOwner(): Principal;
  /** Stops claiming work, waits briefly for what runs, and leaves the rest to recovery. */
  close(): Promise<void>;
}
