import type { AppEvent } from '../contract/events.ts';
import type { Notification } from '../contract/schemas/notification.ts';
import { notify } from './notices.ts';
import type { ShellClient } from './shell-client.ts';
import type { ShellTexts } from './shell-texts.ts';
import { type Work, WorkWatch, workOf } from './work-watch.ts';

/** Events of tasks come several times a second; the icons need less. */
const INTERVAL_MS = 1000;
const LISTED = 50;

interface WorkStatusOptions {
  texts: ShellTexts;
  client: ShellClient;
  show: (work: Work) => void;
  isFocused: () => boolean;
  open: (address: string) => void;
}

/** Follows tasks and alerts: shows progress, and notifies of what ended or arrived while nobody looked at the app. */
export class WorkStatus {
  readonly #options: WorkStatusOptions;
  readonly #watch: WorkWatch;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the latest alert that is known. */
  #alertsUntil = new Date().toISOString();

  constructor(options: WorkStatusOptions) {
    this.#options = options;
    this.#watch = new WorkWatch(options.texts);
  }

  note(event: AppEvent): void {
    if (event.name === 'notifications_changed') void this.#lookAtAlerts();
    if (event.name === 'task_changed') this.#timer ??= setTimeout(() => void this.refresh(), INTERVAL_MS);
  }

  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const listed = await this.#options.client.invoke('list_tasks', { page_size: LISTED, with_service: true });
    if (listed === undefined) return;
    const pause = await this.#options.client.invoke('get_task_pause', {});
    this.#options.show(workOf(listed.tasks, pause?.paused));
    for (const { title, text, address } of this.#watch.ended(listed.tasks)) this.#tell(title, text, address);
  }

  /** Pauses or resumes long tasks. */
  async pause(paused: boolean): Promise<void> {
    await this.#options.client.invoke('pause_tasks', { paused });
    await this.refresh();
  }

  async #lookAtAlerts(): Promise<void> {
    const listed = await this.#options.client.invoke('list_notifications', { unread_only: true });
    const fresh = (listed?.notifications ?? []).filter(({ created_at }) => created_at > this.#alertsUntil);
    this.#alertsUntil = fresh[0]?.created_at ?? this.#alertsUntil;
    for (const alert of fresh) this.#tell(alert.title, alert.message ?? '', addressOfAlert(alert));
  }

  #tell(title: string, text: string, address: string): void {
    if (!this.#options.isFocused()) notify({ title, text, open: () => this.#options.open(address) });
  }
}

function addressOfAlert({ entity_type, dataset_id }: Notification): string {
  if (entity_type === 'recovery') return '/recovery';
  return dataset_id === null ? '/' : `/dataset/${dataset_id}/views`;
}
