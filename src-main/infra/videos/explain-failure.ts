import { message } from '../../contract/messages.ts';
import { VideoProblem } from './video-problem.ts';

/** Converts the last output lines of ffmpeg or ffprobe into a problem for the user; the lines are stored as `cause`. */
export function explainFailure(errorLines: readonly string[]): VideoProblem {
  const text = errorLines.join('\n');
  const options = { cause: new Error(text) };
  if (/No such file or directory/i.test(text)) {
    return new VideoProblem('unreadable', message('file_gone'), options);
  }
  if (/Permission denied/i.test(text)) {
    return new VideoProblem('unreadable', message('file_permission_denied'), options);
  }
  if (/not on whitelist|not in whitelist/i.test(text)) {
    return new VideoProblem('unsupported', message('video_format_unsupported'), options);
  }
  if (/max_pixels|Image size .* is invalid|Invalid dimensions/i.test(text)) {
    return new VideoProblem('too_large', message('video_above_limit'), options);
  }
  if (/Decoder .*not found|no decoder|Unknown decoder|unsupported codec|not implemented/i.test(text)) {
    return new VideoProblem('unsupported', message('video_unsupported'), options);
  }
  return new VideoProblem('corrupt', message('video_cut'), options);
}
