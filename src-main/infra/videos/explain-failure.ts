import { VideoProblem } from './video-problem.ts';

/** Converts the last output lines of ffmpeg or ffprobe into a problem for the user; the lines are stored as `cause`. */
export function explainFailure(errorLines: readonly string[]): VideoProblem {
  const text = errorLines.join('\n');
  const options = { cause: new Error(text) };
  if (/No such file or directory/i.test(text)) {
    return new VideoProblem('unreadable', 'The file is no longer there.', options);
  }
  if (/Permission denied/i.test(text)) {
    return new VideoProblem('unreadable', 'The file may not be read: permission denied.', options);
  }
  if (/not on whitelist|not in whitelist/i.test(text)) {
    return new VideoProblem('unsupported', 'This is not a video in a supported format.', options);
  }
  if (/max_pixels|Image size .* is invalid|Invalid dimensions/i.test(text)) {
    return new VideoProblem('too_large', 'The video has more pixels in a frame than the limit allows.', options);
  }
  if (/Decoder .*not found|no decoder|Unknown decoder|unsupported codec|not implemented/i.test(text)) {
    return new VideoProblem('unsupported', 'This kind of video cannot be decoded here.', options);
  }
  return new VideoProblem('corrupt', 'The video is damaged or cut short and cannot be decoded.', options);
}
