import type { Task } from '../contract/schemas/task.ts';
import type { ShellTexts } from './shell-texts.ts';

/** What runs, for the tray, the taskbar and the dock. */
export interface Work {
  nRunning: number;
  /** 0 to 1; undefined while nothing is known. */
  fraction: number | undefined;
  isPaused: boolean;
}

/** A task that ended while the app ran. */
export interface EndedTask {
  title: string;
  text: string;
  /** Where the page shows it. */
  address: string;
}

/** Shorter tasks end under the eyes of whoever started them. */
const NOTICED_MS = 10_000;

export function workOf(tasks: readonly Task[], isPaused = false): Work {
  const running = tasks.filter(isRunning);
  const known = running.map(({ progress_percentage }) => progress_percentage).filter((value) => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return { nRunning: running.length, isPaused, fraction: known.length === 0 ? undefined : sum / known.length / 100 };
}

/** Notices which tasks end between two lists. */
export class WorkWatch {
  readonly #texts: ShellTexts;
  #running = new Set<string>();

  constructor(texts: ShellTexts) {
    this.#texts = texts;
  }

  /** @returns The tasks that ran in the list before and have ended since, without those that people aborted. */
  ended(tasks: readonly Task[]): EndedTask[] {
    const ended = tasks.filter((task) => this.#running.has(task.task_id) && !isRunning(task));
    this.#running = new Set(tasks.filter(isRunning).map(({ task_id }) => task_id));
    return ended
      .filter((task) => task.status !== 'ABORTED' && durationMs(task) >= NOTICED_MS)
      .map((task) => describe(task, this.#texts));
  }
}

function isRunning({ status }: Task): boolean {
  return status === 'INITIALIZING' || status === 'RUNNING';
}

function durationMs({ start_time, end_time }: Task): number {
  return end_time === null ? 0 : Date.parse(end_time) - Date.parse(start_time);
}

function describe(task: Task, texts: ShellTexts): EndedTask {
  const { dataset_id, dataset_name, status, status_message, error_message } = task;
  const name = dataset_name === '' ? 'Vitrine' : dataset_name;
  return {
    title: status === 'FAILED' ? texts.failed(name) : texts.finished(name),
    text: (status === 'FAILED' ? error_message : undefined) ?? status_message,
    address: status === 'FAILED' || dataset_id === '' ? '/tasks' : `/dataset/${dataset_id}`,
  };
}
