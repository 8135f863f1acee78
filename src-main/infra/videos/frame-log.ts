export interface LoggedFrame {
  /** Position among all frames of the stream in the order of showing, from 0. */
  frame_number: number;
  /** Seconds from the start of the file, to the microsecond; null for a frame without a time. */
  timestamp_s: number | null;
}

const TIME_BASE = /\[Parsed_showinfo_(\d+) @ [^\]]*\] config in time_base: (\d+)\/(\d+)/;
const FRAME = /\[Parsed_showinfo_(\d+) @ [^\]]*\] n:\s*(\d+) pts:\s*(\S+)/;

/**
 * Follows what two `showinfo` filters log, the first over all decoded frames, the second over those a `select` between them kept, and
 * reports each kept frame with its place among all. Frame numbers go on when ffmpeg starts its filters anew, as it does
 * when the picture size changes within a stream.
 */
export function createFrameLog(onKept: (frame: LoggedFrame) => void): (line: string) => void {
  let first_filter: string | undefined;
  let time_base = { numerator: 0, denominator: 1 };
  let base = 0;
  let last_index = -1;
  /** Number of each recent frame by its time stamp; the kept one is among the latest. */
  const recent = new Map<string, number>();
  const MAX_RECENT = 256;

  return (line) => {
    const config = TIME_BASE.exec(line);
    if (config !== null) {
      first_filter ??= config[1];
      if (config[1] === first_filter) time_base = { numerator: Number(config[2]), denominator: Number(config[3]) };
      return;
    }
    const [, filter, index_text, pts = ''] = FRAME.exec(line) ?? [];
    if (filter === undefined) return;
    first_filter ??= filter;
    if (filter !== first_filter) {
      const frame_number = recent.get(pts) ?? base + last_index;
      const seconds = (Number(pts) * time_base.numerator) / time_base.denominator;
      onKept({ frame_number, timestamp_s: Number.isFinite(seconds) ? Math.round(seconds * 1e6) / 1e6 : null });
      return;
    }
    const index = Number(index_text);
    if (index <= last_index) base += last_index + 1;
    last_index = index;
    recent.set(pts, base + index);
    const [oldest] = recent.keys();
    if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
  };
}
