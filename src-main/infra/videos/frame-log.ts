import { LRUCache } from 'lru-cache';

export interface LoggedFrame {
  /** Index among all frames of the stream in presentation order, from 0. */
  frame_number: number;
  /** Seconds from the start of the file, with microsecond precision; null for a frame without a timestamp. */
  timestamp_s: number | null;
}

/** Maximum number of frames between a decoded frame and its selection. */
const MAX_RECENT = 256;

const TIME_BASE = /\[Parsed_showinfo_(\d+) @ [^\]]*\] config in time_base: (\d+)\/(\d+)/;
const FRAME = /\[Parsed_showinfo_(\d+) @ [^\]]*\] n:\s*(\d+) pts:\s*(\S+)/;

/**
 * Parses the output of two `showinfo` filters, the first over all decoded frames, the second over those that a `select` between them
 * passed,
 * and reports each selected frame with its index among all. Frame numbers continue when ffmpeg restarts its filters, which happens when the
 * image size changes within a stream.
 */
export function createFrameLog(onKept: (frame: LoggedFrame) => void): (line: string) => void {
  let firstFilter: string | undefined;
  let timeBase = { numerator: 0, denominator: 1 };
  let base = 0;
  let lastIndex = -1;
  /** Frame number of each recent frame by its timestamp; a selected frame is among the latest. */
  const recent = new LRUCache<string, number>({ max: MAX_RECENT });

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
  };
}
