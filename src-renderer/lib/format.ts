const count = new Intl.NumberFormat('en');
const rate = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export function formatCount(value: number): string {
  return count.format(value);
}

/** `7.9`, `39`, `1,200`: rates are known to two digits only. */
export function formatRate(perSecond: number): string {
  return perSecond >= 100 ? count.format(Math.round(perSecond)) : rate.format(perSecond);
}

export function formatDateTime(iso: string): string {
  return dateTime.format(new Date(iso));
}

function formatDate(iso: string): string {
  return date.format(new Date(iso));
}

/** A short time: `14:05` within the last day, else `Nov 22`. */
export function formatMoment(iso: string, nowMs: number): string {
  const moment = new Date(iso);
  return (nowMs - moment.getTime() < 86_400_000 ? time : day).format(moment);
}

/** `3 minutes ago`, or the date after a week. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1000);
  const size = Math.abs(seconds);
  if (size < 45) return relative.format(0, 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  if (size < 7 * 86_400) return relative.format(Math.round(seconds / 86_400), 'day');
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
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[power]}`;
}

/** A value of unknown scale, with three significant digits. */
export function formatMeasure(value: number): string {
  return Number.isInteger(value) ? count.format(value) : Number(value.toPrecision(3)).toLocaleString('en');
}

/** A distance, where 0 is the same image: `0.08`. */
export function formatScore(score: number): string {
  return score.toFixed(2);
}
