import i18next from 'i18next';

/** Formatters of one language. */
function formattersOf(language: string) {
  return {
    count: new Intl.NumberFormat(language),
    rate: new Intl.NumberFormat(language, { maximumSignificantDigits: 2 }),
    tenths: new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    measure: new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }),
    score: new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    dateTime: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
    time: new Intl.DateTimeFormat(language, { timeStyle: 'short', hourCycle: 'h23' }),
    day: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  };
}

const known = new Map<string, ReturnType<typeof formattersOf>>();

/** The formatters of the language of the page. */
function here(): ReturnType<typeof formattersOf> {
  const language = i18next.resolvedLanguage ?? 'en';
  const formatters = known.get(language) ?? formattersOf(language);
  known.set(language, formatters);
  return formatters;
}

export function formatCount(value: number): string {
  return here().count.format(value);
}

/** `7.9`, `39`, `1,200`: rates are known to two digits only. */
export function formatRate(perSecond: number): string {
  return perSecond >= 100 ? here().count.format(Math.round(perSecond)) : here().rate.format(perSecond);
}

export function formatDateTime(iso: string): string {
  return here().dateTime.format(new Date(iso));
}

export function formatDate(iso: string): string {
  return here().date.format(new Date(iso));
}

/** A short time: `14:05` within the last day, else `Nov 22`. */
export function formatMoment(iso: string, nowMs: number): string {
  const moment = new Date(iso);
  return (nowMs - moment.getTime() < 86_400_000 ? here().time : here().day).format(moment);
}

/** `3 minutes ago`, or the date after a week. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1000);
  const size = Math.abs(seconds);
  if (size < 45) return here().relative.format(0, 'second');
  if (size < 3600) return here().relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return here().relative.format(Math.round(seconds / 3600), 'hour');
  if (size < 7 * 86_400) return here().relative.format(Math.round(seconds / 86_400), 'day');
  return formatDate(iso);
}

/** `8 s`, `3 min 05 s`, `2 h 10 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** A position in a video: `0:07`, `12:30`, `1:02:03`. */
export function formatVideoTime(seconds: number): string {
  const whole = Math.floor(Math.max(0, seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** `51.92211° N, 4.47917° E`: precise to about a metre. */
export function formatPlace(latitude: number, longitude: number): string {
  const part = (degrees: number, positive: string, negative: string) =>
    `${Math.abs(degrees).toFixed(5)}° ${degrees < 0 ? negative : positive}`;
  return `${part(latitude, 'N', 'S')}, ${part(longitude, 'E', 'W')}`;
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Size in decimal units, as in file managers: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : here().tenths.format(value)} ${BYTE_UNITS[power]}`;
}

/** A value of unknown scale, with three significant digits. */
export function formatMeasure(value: number): string {
  return Number.isInteger(value) ? here().count.format(value) : here().measure.format(value);
}

/** A distance, where 0 is the same image: `0.08`. */
export function formatScore(score: number): string {
  return here().score.format(score);
}

/** A range of numbers, or of times by day: `2024-01-02 – 2024-01-05`, `2024-01-02`, and `2024-01` or `2024` for a whole month or year. */
export function rangeName(from: string | number, to: string | number): string {
  if (typeof from === 'string' && typeof to === 'string') {
    const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
    const dayAfter = new Date(Date.parse(last) + 86_400_000);
    const isOne = (nCharacters: number) => first.slice(0, nCharacters) === last.slice(0, nCharacters);
    if (first.endsWith('-01') && dayAfter.getUTCDate() === 1 && isOne(7)) return first.slice(0, 7);
    if (first.endsWith('-01-01') && last.endsWith('-12-31') && isOne(4)) return first.slice(0, 4);
    return first === last ? first : `${first} – ${last}`;
  }
  const [first, last] = [from, to].map((bound) => (typeof bound === 'number' ? formatMeasure(bound) : bound));
  return first === last ? String(first) : `${first} – ${last}`;
}
