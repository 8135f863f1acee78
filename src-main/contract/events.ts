/**
 * Events of the core; SSE and IPC are two subscribers. Nothing depends on an event arriving: a listener that misses one only sees the
 * change later.
 */
export interface AppEvents {
  /** A dataset was created, or its status, counts or contents changed. `edited_by`: the user, if it was an edit of a person. */
  dataset_changed: { dataset_id: string; edited_by?: string };
  dataset_deleted: { dataset_id: string };
  /** `dataset_id`: empty for a task without a dataset. */
  task_changed: { task_id: string; dataset_id: string };
  /** Models were installed, removed or are being downloaded; at most four times per second. `downloading`: running downloads. */
  models_changed: { downloading: string[] };
  /** Comments on items of a dataset, or assignments, were added or changed. */
  teamwork_changed: { dataset_id: string };
  /** Views of a dataset were created, deleted or evaluated. */
  views_changed: { dataset_id: string };
  /** Notifications were added or read; `dataset_id` if all are about one dataset. */
  notifications_changed: { dataset_id?: string };
  /** Settings changed, `keys` names them. Features may be on or off now. */
  settings_changed: { keys: string[] };
  /** The permissions of an account changed: its screens must refresh. */
  access_changed: { user_id: string };
  /** An account ended sessions of its own; null stands for callers with a revoked API key. */
  sessions_ended: { user_id: string; session_ids: readonly (string | null)[] };
}

export type AppEventName = keyof AppEvents;

export type AppEvent = { [Name in AppEventName]: { name: Name; data: AppEvents[Name] } }[AppEventName];

/** An event of an operation that replies with a stream. */
export interface StreamedEvent {
  name: string;
  data: unknown;
  /** Id that a client sends as `Last-Event-ID` when it reconnects. */
  id?: string;
}
