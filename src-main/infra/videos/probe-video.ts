import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import { explainFailure } from './explain-failure.ts';
import type { FfmpegPrograms } from './find-ffmpeg.ts';
import { inputArguments } from './input-arguments.ts';
import { runProgram } from './run-program.ts';
import { VideoProblem } from './video-problem.ts';

export interface Rational {
  numerator: number;
  denominator: number;
}

export interface VideoFacts {
  /** Index of the video stream in the file. */
  stream_index: number;
  /** Duration in seconds; null if the file does not specify it. */
  duration_s: number | null;
  /** Average frames per second over the stream; null if the file does not specify it. */
  fps: Rational | null;
  /** Displayed size in pixels: after rotation, with square pixels. */
  width: number;
  height: number;
  /** Codec name, such as `h264`. */
  codec: string;
  /** Container formats, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  /** Number of frames as declared by the container, which is not always right; null if it does not specify it. */
  n_frames: number | null;
  has_audio: boolean;
}

export interface ProbeOptions {
  programs: FfmpegPrograms;
  signal?: AbortSignal | undefined;
  timeLimitMs?: number;
}

const DEFAULT_TIME_LIMIT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

const STREAM = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sample_aspect_ratio: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  duration: z.string().optional(),
  nb_frames: z.string().optional(),
  disposition: z.record(z.string(), z.number()).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
const REPORT = z.object({
  streams: z.array(STREAM).default([]),
  format: z.object({ format_name: z.string().optional(), duration: z.string().optional() }).default({}),
});
type Stream = z.infer<typeof STREAM>;

function rational(text: string | undefined, separator: string): Rational | null {
  const [numerator, denominator] = (text ?? '').split(separator).map(Number);
  if (numerator === undefined || denominator === undefined || !(numerator > 0) || !(denominator > 0)) return null;
  return { numerator, denominator };
}

function positive(text: string | undefined): number | null {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** Covers and chapter thumbnails are video streams too, but not the video itself. */
function isVideo({ codec_type, disposition = {} }: Stream): boolean {
  return codec_type === 'video' && disposition.attached_pic !== 1 && disposition.timed_thumbnails !== 1;
}

function shownSize(stream: Stream): { width: number; height: number } {
  const { width: coded = 0, height = 0 } = stream;
  const aspect = rational(stream.sample_aspect_ratio, ':');
  const width = aspect === null ? coded : Math.max(1, Math.round((coded * aspect.numerator) / aspect.denominator));
  const side = stream.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation;
  const rotation = side ?? Number(stream.tags?.rotate ?? 0);
  return Math.abs(rotation) % 180 === 90 ? { width: height, height: width } : { width, height };
}

function readReport(stdout: Buffer): z.infer<typeof REPORT> {
  try {
    return REPORT.parse(JSON.parse(stdout.toString('utf8')));
  } catch (error) {
    throw new VideoProblem('corrupt', message('video_damaged'), { cause: error });
  }
}

/**
 * Reads a video file's properties with ffprobe. The first stream of moving images is used.
 * @throws {@link VideoProblem}. Rejects with the signal's reason when `signal` aborts.
 */
export async function probeVideo(videoPath: string, options: ProbeOptions): Promise<VideoFacts> {
  const shown = ['-v', 'error', '-hide_banner', '-print_format', 'json', '-show_format', '-show_streams'];
  const { stdout, errorLines, exitCode, stopped } = await runProgram(
    options.programs.ffprobe,
    [...shown, ...inputArguments(videoPath)],
    {
      timeLimitMs: options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal: options.signal,
    },
  );
  if (stopped === 'timed_out') throw new VideoProblem('timed_out', message('video_start_slow'));
  if (stopped !== undefined) throw new VideoProblem('corrupt', message('video_header_endless'));
  if (exitCode !== 0) throw explainFailure(errorLines);
  const { streams, format } = readReport(stdout);
  const video = streams.find(isVideo);
  if (video === undefined) throw new VideoProblem('unsupported', message('video_none'));
  const { codec_name } = video;
  if (codec_name === undefined || codec_name === 'none' || codec_name === 'unknown') {
    throw new VideoProblem('unsupported', message('video_codec_unknown'));
  }
  const { width, height } = shownSize(video);
  if (width === 0 || height === 0) throw new VideoProblem('no_frames', message('video_no_frames'));
  return {
    stream_index: video.index,
    duration_s: positive(video.duration) ?? positive(format.duration),
    fps: rational(video.avg_frame_rate, '/') ?? rational(video.r_frame_rate, '/'),
    width,
    height,
    codec: codec_name,
    container: format.format_name ?? 'unknown',
    n_frames: positive(video.nb_frames),
    has_audio: streams.some(({ codec_type }) => codec_type === 'audio'),
  };
}
