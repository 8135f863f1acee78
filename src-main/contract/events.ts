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
}

export type AppEventName = keyof AppEvents;

export type AppEvent = { [Name in AppEventName]: { name: Name; data: AppEvents[Name] } }[AppEventName];
