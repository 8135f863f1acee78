/** A moment as tags store it. */
export interface TagTime {
  /** Day in UTC, `YYYY-MM-DD`. */
  day: string;
  /** Microseconds since the start of the day. */
  microseconds: number;
}

/**
 * Parses an ISO 8601 date or datetime. A datetime without a zone is in UTC, and digits after the microseconds are dropped.
 * @throws RangeError for other text.
 */
export function parseTagTime(text: string): TagTime {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const whole = text.replace(/\.\d+/, '');
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(whole) || !whole.includes('T');
  const iso = new Date(hasZone ? whole : `${whole}Z`).toISOString();
  const day = iso.slice(0, 10);
  const wholeMs = Date.parse(iso) - Date.parse(day);
  return { day, microseconds: wholeMs * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0')) };
}

/** Prints a moment as an ISO 8601 datetime in UTC, with milliseconds, or with microseconds if it has any. */
export function printTagTime({ day, microseconds }: TagTime): string {
  const iso = new Date(Date.parse(day) + Math.floor(microseconds / 1000)).toISOString();
  const beyond = microseconds % 1000;
  return beyond === 0 ? iso : iso.replace('Z', `${String(beyond).padStart(3, '0')}Z`);
}
