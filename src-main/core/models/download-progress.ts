/** Speed is that of the last seconds. */
const WINDOW_MS = 4000;
const MIN_STEP_MS = 200;

/** How far a download is and how fast it goes. */
export class DownloadProgress {
  received_bytes: number;
  total_bytes: number | null = null;
  readonly #samples: { at_ms: number; bytes: number }[] = [];

  /** @param received_bytes What an earlier try left. */
  constructor(received_bytes: number) {
    this.received_bytes = received_bytes;
  }

  add(received_bytes: number, total_bytes: number | null, now_ms: number): void {
    this.received_bytes = received_bytes;
    this.total_bytes = total_bytes;
    const last = this.#samples.at(-1);
    if (last && now_ms - last.at_ms < MIN_STEP_MS) return;
    this.#samples.push({ at_ms: now_ms, bytes: received_bytes });
    while ((this.#samples[0]?.at_ms ?? now_ms) < now_ms - WINDOW_MS) this.#samples.shift();
  }

  bytesPerSecond(now_ms: number): number | null {
    const first = this.#samples[0];
    if (!first || now_ms - first.at_ms < MIN_STEP_MS) return null;
    return Math.max(0, ((this.received_bytes - first.bytes) * 1000) / (now_ms - first.at_ms));
  }
}
