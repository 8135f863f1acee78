import type { Clock } from '../ports/clock.ts';
import { amount } from './amount.ts';

const WINDOW_MS = 15_000;

/** Measures how fast a step goes, over a sliding window, from the counts that it reports. */
export class ProgressMeter {
  readonly #clock: Clock;
  #samples: { at: number; done: number }[] = [];
  step = '';
  share = { from: 0, to: 1 };
  done = 0;
  total: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(step: string, share: { from: number; to: number }, total: number | null): void {
    this.step = step;
    this.share = share;
    this.done = 0;
    this.total = total;
    this.#samples = [];
  }

  report(done: number, total: number | null): void {
    const now = this.#clock.now();
    this.done = done;
    this.total = total;
    this.#samples.push({ at: now, done });
    while ((this.#samples[0]?.at ?? now) < now - WINDOW_MS) this.#samples.shift();
  }

  /** Items a second, or null until two reports are a second apart. */
  get itemsPerS(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.at - first.at < 1000 || last.done <= first.done) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  get timeLeftS(): number | null {
    const rate = this.itemsPerS;
    return rate === null || this.total === null ? null : Math.max(0, this.total - this.done) / rate;
  }

  /** 0 to 100 of the whole task; 100 is for the commit alone. */
  get percentage(): number {
    const inside = this.total === null || this.total === 0 ? 0 : Math.min(1, this.done / this.total);
    return Math.min(99, Math.floor(100 * (this.share.from + inside * (this.share.to - this.share.from))));
  }

  get message(): string {
    if (this.total === null) return this.done === 0 ? this.step : `${this.step}: ${amount(this.done)}`;
    return `${this.step}: ${amount(this.done)} of ${amount(this.total)}`;
  }
}
