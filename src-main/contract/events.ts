/**
 * What the core tells its listeners (SSE and IPC are two subscribers). A listener that misses one only sees a change later: nothing
 * correct depends on an event arriving.
 */
export interface AppEvents {
  /** A dataset appeared, or its status, counts or contents changed. */
  dataset_changed: { dataset_id: string };
  dataset_deleted: { dataset_id: string };
  /** `dataset_id`: empty where the task is about none. */
  task_changed: { task_id: string; dataset_id: string };
  /** Models came, went or are being fetched; at most four times a second. `downloading`: packages under way. */
  models_changed: { downloading: string[] };
  /** Views of a dataset came, went, or were checked. */
  views_changed: { dataset_id: string };
  /** Somebody has new notifications, or has read some; `dataset_id`: what they are about, where that is one. */
  notifications_changed: { dataset_id?: string };
  /** Somebody changed settings; `keys`: which. Features may have come or gone. */
  settings_changed: { keys: string[] };
  /** What an account may do has changed: what it was shown is asked for again. */
  access_changed: { user_id: string };
  /** An account has ended sessions of its own; null stands for who came by an API key that was revoked. */
  sessions_ended: { user_id: string; session_ids: readonly (string | null)[] };
}

export type AppEventName = keyof AppEvents;

export type AppEvent = { [Name in AppEventName]: { name: Name; data: AppEvents[Name] } }[AppEventName];

/** What an operation that replies with a stream yields. */
export interface StreamedEvent {
  name: string;
  data: unknown;
  /** Where a client that comes back goes on from. */
  id?: string;
}
