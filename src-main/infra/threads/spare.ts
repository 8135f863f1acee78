/** Keeps one idle worker for the next caller: starting a thread takes 0.15 s of CPU time. */
export class Spare<Worker extends { close(): Promise<void> }> {
  readonly #create: () => Worker;
  readonly #idleMs: number;
  #kept: { worker: Worker; ending: NodeJS.Timeout } | undefined;

  /** @param idleMs Milliseconds after which an idle worker is closed. */
  constructor(create: () => Worker, idleMs: number) {
    this.#create = create;
    this.#idleMs = idleMs;
  }

  get isThere(): boolean {
    return this.#kept !== undefined;
  }

  take(): Worker {
    return this.#remove() ?? this.#create();
  }

  /** Keeps a worker that has finished, or closes it if another one is kept. */
  async putBack(worker: Worker): Promise<void> {
    if (this.#kept) return worker.close();
    this.#kept = { worker, ending: setTimeout(() => void this.close(), this.#idleMs).unref() };
  }

  async close(): Promise<void> {
    await this.#remove()?.close();
  }

  #remove(): Worker | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    clearTimeout(kept?.ending);
    return kept?.worker;
  }
}
