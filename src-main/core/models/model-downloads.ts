import { AppError } from '../../contract/errors.ts';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { EventBus } from '../events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ModelStore } from '../ports/model-store.ts';
import { DownloadProgress } from './download-progress.ts';
import type { InstalledModels } from './installed-models.ts';

export interface ModelDownloadsParts {
  library: InstalledModels;
  store: ModelStore;
  events: EventBus;
  clock: Clock;
  log: Log;
}

interface Download {
  stop: AbortController;
  progress: DownloadProgress;
  /** Settles when nothing of the package is touched any more. */
  ended: Promise<void>;
}

/** Longest silence between two events while something is fetched. */
const EVENT_INTERVAL_MS = 250;

/** The packages that are being fetched now, and why the last attempt at others failed. */
export class ModelDownloads {
  readonly #parts: ModelDownloadsParts;
  readonly #running = new Map<string, Download>();
  /** Why the last download of a package failed. */
  readonly #failures = new Map<string, string>();
  #lastEventMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ModelDownloadsParts) {
    this.#parts = parts;
  }

  /** Stops what is fetched; it goes on when it is asked for again. */
  async close(): Promise<void> {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  progressOf(packageId: string): DownloadProgress | undefined {
    return this.#running.get(packageId)?.progress;
  }

  failureOf(packageId: string): string | null {
    return this.#failures.get(packageId) ?? null;
  }

  forgetFailure(packageId: string): void {
    this.#failures.delete(packageId);
  }

  /**
   * Begins to fetch a package and does not wait for it.
   * @param hubs Addresses in the order in which they are tried.
   * @throws AppError `conflict` when it is being fetched already, `disk_full`.
   */
  async begin(definition: PackageDefinition, hubs: readonly string[]): Promise<void> {
    const { store } = this.#parts;
    this.#assertIdle(definition);
    const progress = new DownloadProgress(await store.receivedBytes(definition.id));
    await store.ensureRoom(definition);
    // Another call may have begun while the disk was asked.
    this.#assertIdle(definition);
    const stop = new AbortController();
    this.#failures.delete(definition.id);
    const ended = this.#fetch(definition, hubs, stop.signal, progress);
    this.#running.set(definition.id, { stop, progress, ended });
    this.announce();
  }

  /** What was received stays for the next try. @throws AppError `conflict` when it is not being fetched. */
  async cancel({ id, name }: PackageDefinition): Promise<void> {
    const download = this.#running.get(id);
    if (!download) throw new AppError('conflict', `${name} is not being fetched`);
    download.stop.abort();
    await download.ended;
  }

  /** Tells listeners that something about the models changed. */
  announce(): void {
    this.#lastEventMs = this.#parts.clock.ticksMs();
    this.#parts.events.emit('models_changed', { downloading: [...this.#running.keys()] });
  }

  #assertIdle({ id, name }: PackageDefinition): void {
    if (this.#running.has(id)) throw new AppError('conflict', `${name} is being fetched already`);
  }

  async #fetch(
    definition: PackageDefinition,
    hubs: readonly string[],
    signal: AbortSignal,
    progress: DownloadProgress,
  ): Promise<void> {
    const { id } = definition;
    const { library, store, clock, log } = this.#parts;
    try {
      const installed = await store.download(definition, {
        hubs,
        signal,
        onProgress: (received, total) => {
          progress.add(received, total, clock.ticksMs());
          if (clock.ticksMs() - this.#lastEventMs >= EVENT_INTERVAL_MS) this.announce();
        },
      });
      library.add(installed);
      log.info({ package_id: id, size_bytes: installed.size_bytes }, 'model fetched');
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ package_id: id, err: error }, 'model could not be fetched');
      const reason =
        error instanceof AppError ? error.message : 'Something went wrong inside Vitrine. The log has the details.';
      this.#failures.set(id, reason);
    } finally {
      this.#running.delete(id);
      this.announce();
    }
  }
}
