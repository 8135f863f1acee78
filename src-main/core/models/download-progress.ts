import { SlidingRate } from '../tasks/sliding-rate.ts';

/** Time in milliseconds over which the speed is averaged. */
const WINDOW_MS = 4000;
const MIN_SPAN_MS = 200;

/** Progress and speed of a download. */
export class DownloadProgress {
  receivedBytes: number;
  totalBytes: number | null = null;
  readonly #rate = new SlidingRate(WINDOW_MS, MIN_SPAN_MS);

  /** @param receivedBytes Bytes received by earlier attempts. */
  constructor(receivedBytes: number) {
    this.receivedBytes = receivedBytes;
  }

  add(receivedBytes: number, totalBytes: number | null, nowMs: number): void {
    this.receivedBytes = receivedBytes;
    this.totalBytes = totalBytes;
    this.#rate.add(receivedBytes, nowMs);
  }

  get bytesPerSecond(): number | null {
    return this.#rate.perSecond;
  }
}
