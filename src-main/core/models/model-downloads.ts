import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { EventBus } from '../events.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelStore } from '../ports/model-store.ts';
import { defineTask, type TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import { DownloadProgress } from './download-progress.ts';
import type { InstalledModels } from './installed-models.ts';

export interface ModelDownloadsParts {
  library: InstalledModels;
  store: ModelStore;
  tasks: TaskService;
  events: EventBus;
  clock: Clock;
}

const sources = { mirror: z.string().nullable().default(null), hubs: z.array(z.string()) };
const input = z.object({ package_id: z.string(), ...sources });
type DownloadInput = z.infer<typeof input>;
type Sources = Pick<DownloadInput, keyof typeof sources>;

interface Download {
  /** Id of the task; empty until the task is queued. */
  task_id: string;
  progress: DownloadProgress;
  /** Whether the download is writing to the package's folder. */
  isRunning: boolean;
}

/** Minimum interval between progress events. */
const EVENT_INTERVAL_MS = 250;
const BYTES_PER_MB = 1_000_000;
const STOPPED = message('download_stopped');

/** Downloads packages, each in a task, and stores why the last download of a package failed. */
export class ModelDownloads {
  /** Downloads never start automatically: a download interrupted by quitting resumes when the user starts it again. */
  readonly task: TaskDefinition<DownloadInput, never>;
  readonly #parts: ModelDownloadsParts;
  readonly #open = new Map<string, Download>();
  /** Reason for the failure of the last download, by package id. */
  readonly #failures = new Map<string, Message>();
  #lastEventMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ModelDownloadsParts) {
    this.#parts = parts;
    this.task = defineTask<DownloadInput, never>({
      type: 'MODEL_DOWNLOAD',
      input,
      lane: 'models',
      exclusive: false,
      recovery: 'fail',
      run: async (task) => {
        const definition = parts.library.getPackage(task.input.package_id);
        task.beginStep(message('step_fetching', { model: definition.name }), { from: 0, to: 0.99 }, null, 'megabytes');
        const installed = await this.#fetch(definition, task.input, task.signal, task.reportSaved);
        task.commit(message('task_fetched', { model: definition.name }), () => this.#open.delete(definition.id));
        parts.library.add(installed);
        this.announce();
      },
      onFailure: (_datasetId, reason, { package_id }) => this.#end(package_id, reason),
      abort: { reason: STOPPED },
    });
  }

  progressOf(packageId: string): DownloadProgress | undefined {
    return this.#open.get(packageId)?.progress;
  }

  failureOf(packageId: string): Message | null {
    return this.#failures.get(packageId) ?? null;
  }

  forgetFailure(packageId: string): void {
    this.#failures.delete(packageId);
  }

  /**
   * Starts the download of a package without waiting for it.
   * @param from Addresses as in {@link ModelStore.download}.
   * @throws AppError `conflict` when the package is already being downloaded, `disk_full`.
   */
  async begin(definition: PackageDefinition, from: Sources, createdBy: string): Promise<void> {
    const { store, tasks } = this.#parts;
    this.#assertIdle(definition);
    const progress = new DownloadProgress(await store.receivedBytes(definition.id));
    await store.ensureRoom(definition);
    // Another call may have started the download meanwhile.
    this.#assertIdle(definition);
    this.#failures.delete(definition.id);
    const taskId = tasks.start(this.task, null, { package_id: definition.id, ...from }, createdBy);
    this.#open.set(definition.id, { task_id: taskId, progress, isRunning: false });
    tasks.wake();
    this.announce();
  }

  /**
   * Cancels a download. The received bytes are kept for the next attempt.
   * @throws AppError `conflict` when the package is not being downloaded.
   */
  async cancel({ id, name }: PackageDefinition): Promise<void> {
    const download = this.#open.get(id);
    if (!download) throw new AppError('conflict', message('model_not_downloading', { model: name }));
    await this.#parts.tasks.stop(download.task_id);
  }

  /** Notifies listeners that models have changed. */
  announce(): void {
    this.#lastEventMs = this.#parts.clock.ticksMs();
    this.#parts.events.emit('models_changed', { downloading: [...this.#open.keys()] });
  }

  #assertIdle({ id, name }: PackageDefinition): void {
    if (this.#open.has(id)) throw new AppError('conflict', message('model_downloading_already', { model: name }));
  }

  async #fetch(
    definition: PackageDefinition,
    { mirror, hubs }: Sources,
    signal: AbortSignal,
    report: (done: number, total?: number) => void,
  ) {
    const { store, clock } = this.#parts;
    const download = this.#open.get(definition.id);
    if (download) download.isRunning = true;
    try {
      return await store.download(definition, {
        mirror,
        hubs,
        signal,
        onProgress: (received, total) => {
          download?.progress.add(received, total, clock.ticksMs());
          report(Math.round(received / BYTES_PER_MB), total === null ? undefined : Math.ceil(total / BYTES_PER_MB));
          if (clock.ticksMs() - this.#lastEventMs >= EVENT_INTERVAL_MS) this.announce();
        },
      });
    } finally {
      if (download) download.isRunning = false;
      if (signal.aborted) this.#end(definition.id, STOPPED);
    }
  }

  /** Removes the download, unless its run is still writing to the package's folder. */
  #end(packageId: string, reason: Message): void {
    const download = this.#open.get(packageId);
    if (!download || download.isRunning) return;
    this.#open.delete(packageId);
    if (reason.code !== STOPPED.code) this.#failures.set(packageId, reason);
    this.announce();
  }
}
