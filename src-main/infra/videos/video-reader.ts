import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Message, message } from '../../contract/messages.ts';
import type { StoredOriginals } from '../../core/ports/files.ts';
import type { VideoFrame, VideoReader, VideoReading } from '../../core/ports/video-reader.ts';
import { extractFrames } from './extract-frames.ts';
import { type FfmpegPrograms, findFfmpeg } from './find-ffmpeg.ts';
import { VideoProblem } from './video-problem.ts';

export interface VideoSettings {
  /** Path of ffmpeg or of its folder, if the user set one. */
  ffmpeg: string | undefined;
  /** Folder of the ffmpeg that a packaged application includes. */
  bundled_folder: string;
  frames_per_second: number;
  max_frames: number;
}

/** Maximum time in ms to process one video. */
const TIME_LIMIT_MS = 2 * 3600 * 1000;
/** Maximum width and height in pixels of stored frames; search and display need no more. */
const MAX_SIDE_PX = 1920;
const FRAMES_MISSING = message('video_partly_damaged');

/** Reads videos with ffmpeg. When ffmpeg is missing, each video fails with that reason. */
export function createVideoReader(
  dataFolder: string,
  originals: StoredOriginals,
  settings: () => VideoSettings,
): VideoReader {
  let searched: { place: string | undefined; programs: Promise<FfmpegPrograms | { missing: Message }> } | undefined;
  const programsAt = (place: string | undefined, bundledFolder: string) => {
    if (searched?.place !== place || !searched) {
      searched = { place, programs: findFfmpeg({ setPath: place, bundledFolder }) };
    }
    return searched.programs;
  };

  return {
    read: async (path, batchId, name, signal) => {
      const unfit = await whyUnfit(path);
      if (unfit) return { ok: false, ...unfit };
      const { ffmpeg, bundled_folder, frames_per_second, max_frames } = settings();
      const found = await programsAt(ffmpeg, bundled_folder);
      if ('missing' in found) {
        searched = undefined;
        return { ok: false, kind: 'unsupported', reason: found.missing };
      }
      const location = join('frames', name);
      const outFolder = join(dataFolder, originals.root(batchId), location);
      await rm(outFolder, { recursive: true, force: true });
      await mkdir(outFolder, { recursive: true });
      const frames: VideoFrame[] = [];
      try {
        const { video, poster_timestamp_s, is_damaged } = await extractFrames(path, {
          programs: found,
          outFolder,
          framesPerSecond: frames_per_second,
          maxFrames: max_frames,
          maxSidePx: MAX_SIDE_PX,
          timeLimitMs: TIME_LIMIT_MS,
          signal,
          onFrame: async (frame) => {
            const { size, mtimeMs } = await stat(frame.path);
            frames.push({
              frame_number: frame.frame_number,
              timestamp_s: frame.timestamp_s,
              location: `frames/${name}/${basename(frame.path)}`,
              size_bytes: size,
              mtime_ms: mtimeMs,
            });
          },
        });
        return {
          ok: true,
          width: video.width,
          height: video.height,
          duration_s: video.duration_s,
          frames_per_second: video.fps && video.fps.numerator / video.fps.denominator,
          codec: video.codec,
          poster_timestamp: poster_timestamp_s,
          problem: is_damaged ? { kind: 'corrupt', reason: FRAMES_MISSING } : null,
          frames,
        };
      } catch (error) {
        await rm(outFolder, { recursive: true, force: true });
        if (error instanceof VideoProblem) return failedReading(error);
        throw error;
      }
    },
  };
}

/**
 * Returns why ffmpeg need not open the file: it would wait at a pipe and read a device without end. A missing file is reported by ffmpeg.
 */
async function whyUnfit(path: string): Promise<{ kind: 'unreadable' | 'empty'; reason: Message } | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return { kind: 'unreadable', reason: message('file_is_folder') };
  if (!found.isFile()) return { kind: 'unreadable', reason: message('file_not_regular') };
  return found.size === 0 ? { kind: 'empty', reason: message('file_empty') } : undefined;
}

function failedReading({ kind, reason }: VideoProblem): VideoReading {
  if (kind === 'no_frames' || kind === 'timed_out') return { ok: false, kind: 'corrupt', reason };
  return { ok: false, kind, reason };
}
