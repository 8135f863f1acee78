interface DateRange {
  /** ISO 8601; both bounds are included. */
  from: string;
  to: string;
  count: number;
}

/** Maximum number of ranges shown. */
const MAX_RANGES = 60;

/** Lengths of the ISO text of a day, a month and a year, in characters. */
const PRECISIONS = [10, 7, 4];

/** Counts times by day; if there would be too many days, by month or year. */
export class DateRanges {
  readonly #days = new Map<number, number>();
  /**
   * Day of the last counted times, and their number. Items come in order of time and most of a batch is from one day, so each day is
   * counted here first.
   */
  #day = Number.NaN;
  #count = 0;

  /** @param moment Time in milliseconds since 1970. */
  add(moment: number): void {
    const day = Math.floor(moment / 86_400_000);
    if (day !== this.#day) {
      this.#endDay();
      this.#day = day;
    }
    this.#count += 1;
  }

  list(): DateRange[] {
    this.#endDay();
    return rangesOf([...this.#days].map(([day, count]) => ({ text: new Date(day * 86_400_000).toISOString(), count })));
  }

  #endDay(): void {
    if (this.#count > 0) this.#days.set(this.#day, (this.#days.get(this.#day) ?? 0) + this.#count);
    this.#count = 0;
  }
}

/** @param days Days as ISO text, with counts. */
function rangesOf(days: readonly { text: string; count: number }[]): DateRange[] {
  for (const precision of PRECISIONS) {
    const ranges = new Map<string, number>();
    for (const { text, count } of days) {
      const range = text.slice(0, precision);
      ranges.set(range, (ranges.get(range) ?? 0) + count);
    }
    if (ranges.size > MAX_RANGES && precision !== PRECISIONS.at(-1)) continue;
    return [...ranges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([range, count]) => ({ ...boundsOf(range), count }));
  }
  return [];
}

/** Returns the first and the last millisecond of a day, month or year. */
function boundsOf(range: string): { from: string; to: string } {
  const from = new Date(range);
  const next = new Date(from);
  if (range.length === 10) next.setUTCDate(next.getUTCDate() + 1);
  else if (range.length === 7) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  return { from: from.toISOString(), to: new Date(next.getTime() - 1).toISOString() };
}
