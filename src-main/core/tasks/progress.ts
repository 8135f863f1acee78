import { type Message, message, wholeNumber } from '../../contract/messages.ts';
import type { ProgressUnit } from '../../contract/schemas/task.ts';
import type { Clock } from '../ports/clock.ts';

import { SlidingRate } from './sliding-rate.ts';

const WINDOW_MS = 15_000;
const MIN_SPAN_MS = 1000;

/** Measures the speed of a step over a sliding window, from the counts that the step reports. */
export class ProgressMeter {
  readonly #clock: Clock;
  readonly #rate = new SlidingRate(WINDOW_MS, MIN_SPAN_MS);
  step: Message | null = null;
  share = { from: 0, to: 1 };
  done = 0;
  total: number | null = null;
  unit: ProgressUnit = 'items';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(step: Message, share: { from: number; to: number }, total: number | null, unit: ProgressUnit): void {
    this.step = step;
    this.share = share;
    this.done = 0;
    this.total = total;
    this.unit = unit;
    this.#rate.reset();
  }

  report(done: number, total: number | null): void {
    this.done = done;
    this.total = total;
    this.#rate.add(done, this.#clock.ticksMs());
  }

  /** Items per second; null until two reports are at least one second apart. */
  get itemsPerS(): number | null {
    return this.#rate.perSecond;
  }

  get timeLeftS(): number | null {
    const rate = this.itemsPerS;
    return rate === null || this.total === null ? null : Math.max(0, this.total - this.done) / rate;
  }

  /** Progress of the whole task, 0 to 100; 100 is reserved for the commit. */
  get percentage(): number {
    const inside = this.total === null || this.total === 0 ? 0 : Math.min(1, this.done / this.total);
    return Math.min(99, Math.floor(100 * (this.share.from + inside * (this.share.to - this.share.from))));
  }

  /** The step with its progress; undefined before the first step. */
  get message(): Message | undefined {
    const { step, unit, done, total } = this;
    if (step === null || (unit !== 'percent' && total === null && done === 0)) return step ?? undefined;
    if (unit === 'percent') return message('progress_percent', { step, done });
    const inUnit = unit === 'megabytes' ? 'megabytes' : 'items';
    return total === null
      ? message(`progress_${inUnit}`, { step, done: wholeNumber(done) })
      : message(`progress_of_${inUnit}`, { step, done: wholeNumber(done), total: wholeNumber(total) });
  }
}
