interface DateRange {
  /** ISO 8601, both included. */
  from: string;
  to: string;
  count: number;
}

/** Ranges that are few enough to be shown. */
const MOST_RANGES = 60;

/** Lengths of the ISO text of a day, a month and a year. */
const PRECISIONS = [10, 7, 4];

/** How many moments are on which day; where those would be many, in which month or year. @param moments Milliseconds since 1970. */
export function dateRanges(moments: Float64Array): DateRange[] {
  const days = new Map<number, number>();
  const add = (day: number, count: number) => days.set(day, (days.get(day) ?? 0) + count);
  // Items come in order of time, and most of a batch on one day.
  let [last, run] = [Number.NaN, 0];
  for (const moment of moments) {
    const day = Math.floor(moment / 86_400_000);
    if (day !== last) {
      if (run > 0) add(last, run);
      [last, run] = [day, 0];
    }
    run += 1;
  }
  if (run > 0) add(last, run);
  const texts = [...days].map(([day, count]) => ({ text: new Date(day * 86_400_000).toISOString(), count }));
  for (const precision of PRECISIONS) {
    const ranges = new Map<string, number>();
    for (const { text, count } of texts) {
      const range = text.slice(0, precision);
      ranges.set(range, (ranges.get(range) ?? 0) + count);
    }
    if (ranges.size > MOST_RANGES && precision !== PRECISIONS.at(-1)) continue;
    return [...ranges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([range, count]) => ({ ...boundsOf(range), count }));
  }
  return [];
}

/** The first and the last millisecond of a day, month or year. */
function boundsOf(range: string): { from: string; to: string } {
  const from = new Date(range);
  const next = new Date(from);
  if (range.length === 10) next.setUTCDate(next.getUTCDate() + 1);
  else if (range.length === 7) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  return { from: from.toISOString(), to: new Date(next.getTime() - 1).toISOString() };
}
