/** Speed is that of the last seconds. */
const WINDOW_MS = 4000;
const MIN_STEP_MS = 200;

/** How far a download is and how fast it goes. */
export class DownloadProgress {
  receivedBytes: number;
  totalBytes: number | null = null;
  readonly #samples: { at_ms: number; bytes: number }[] = [];

  /** @param receivedBytes What an earlier try left. */
  constructor(receivedBytes: number) {
    this.receivedBytes = receivedBytes;
  }

  add(receivedBytes: number, totalBytes: number | null, nowMs: number): void {
    this.receivedBytes = receivedBytes;
    this.totalBytes = totalBytes;
    const last = this.#samples.at(-1);
    if (last && nowMs - last.at_ms < MIN_STEP_MS) return;
    this.#samples.push({ at_ms: nowMs, bytes: receivedBytes });
    while ((this.#samples[0]?.at_ms ?? nowMs) < nowMs - WINDOW_MS) this.#samples.shift();
  }

  bytesPerSecond(nowMs: number): number | null {
    const first = this.#samples[0];
    if (!first || nowMs - first.at_ms < MIN_STEP_MS) return null;
    return Math.max(0, ((this.receivedBytes - first.bytes) * 1000) / (nowMs - first.at_ms));
  }
}
