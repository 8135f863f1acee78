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
 * when the image size changes within a stream.
 */
export function createFrameLog(onKept: (frame: LoggedFrame) => void): (line: string) => void {
  let firstFilter: string | undefined;
  let timeBase = { numerator: 0, denominator: 1 };
  let base = 0;
  let lastIndex = -1;
  /** Number of each recent frame by its time stamp; the kept one is among the latest. */
  const recent = new Map<string, number>();
  const MAX_RECENT = 256;

  return (line) => {
    const config = TIME_BASE.exec(line);
    if (config !== null) {
      firstFilter ??= config[1];
      if (config[1] === firstFilter) timeBase = { numerator: Number(config[2]), denominator: Number(config[3]) };
      return;
    }
    const [, filter, indexText, pts = ''] = FRAME.exec(line) ?? [];
    if (filter === undefined) return;
    firstFilter ??= filter;
    if (filter !== firstFilter) {
      const frameNumber = recent.get(pts) ?? base + lastIndex;
      const seconds = (Number(pts) * timeBase.numerator) / timeBase.denominator;
      onKept({
        frame_number: frameNumber,
        timestamp_s: Number.isFinite(seconds) ? Math.round(seconds * 1e6) / 1e6 : null,
      });
      return;
    }
    const index = Number(indexText);
    if (index <= lastIndex) base += lastIndex + 1;
    lastIndex = index;
    recent.set(pts, base + index);
    const [oldest] = recent.keys();
    if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
  };
}
