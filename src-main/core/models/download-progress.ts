import { SlidingRate } from '../tasks/sliding-rate.ts';

/** Speed is that of the last seconds. */
const WINDOW_MS = 4000;
const MIN_SPAN_MS = 200;

/** How far a download is and how fast it goes. */
export class DownloadProgress {
  receivedBytes: number;
  totalBytes: number | null = null;
  readonly #rate = new SlidingRate(WINDOW_MS, MIN_SPAN_MS);

  /** @param receivedBytes What an earlier try left. */
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
