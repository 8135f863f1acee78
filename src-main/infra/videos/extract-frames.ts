import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError, DISK_FULL } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { explainFailure } from './explain-failure.ts';
import type { FfmpegPrograms } from './find-ffmpeg.ts';
import { createFrameLog, type LoggedFrame } from './frame-log.ts';
import { inputArguments } from './input-arguments.ts';
import { probeVideo, type VideoFacts } from './probe-video.ts';
import { type RunOutcome, runProgram } from './run-program.ts';
import { VideoProblem } from './video-problem.ts';

export interface ExtractedFrame {
  /** Index among all frames of the stream in presentation order, from 0. */
  frame_number: number;
  /** Seconds from the start of the file, as players count them. */
  timestamp_s: number;
  /** Path of a JPEG in the output folder. */
  path: string;
}

export interface ExtractOptions {
  programs: FfmpegPrograms;
  /** An existing folder. Frames are written there as `00000001.jpg` and so on; the caller moves or deletes them. */
  outFolder: string;
  /** Frames per second (default 1). */
  framesPerSecond?: number;
  /**
   * Maximum number of frames (default 600). For a video that would give more, the rate is lowered so that the frames cover all of the
   * video.
   */
  maxFrames?: number;
  /** Maximum width and height in pixels; larger frames are scaled down. Default: no scaling. */
  maxSidePx?: number;
  timeLimitMs: number;
  /** Number of decoding threads (default 2). */
  threads?: number;
  signal?: AbortSignal | undefined;
  /** Called for each frame in order, as soon as its file is complete. */
  onFrame: (frame: ExtractedFrame) => void | Promise<void>;
}

export interface ExtractSummary {
  video: VideoFacts;
  n_extracted: number;
  /** Frames per second after applying the maximum number of frames. */
  frames_per_second: number;
  /** Time of the first frame that is not almost black, otherwise of the middle frame. */
  poster_timestamp_s: number;
  /** Whether part of the video could not be decoded or stored; the frames are those before or around the damage. */
  is_damaged: boolean;
}

const DEFAULT_FRAMES_PER_SECOND = 1;
const DEFAULT_MAX_FRAMES = 600;
const DEFAULT_THREADS = 2;
/** ffmpeg's quality scale from 2 (best) to 31; 2 is visually lossless. */
const JPEG_QUALITY = '2';
/** Fine enough that two frames never share a tick, as could happen with a guessed frame rate: the encoder refuses the second frame. */
const OUTPUT_TIME_BASE = '1/1000000';
/** A frame whose mean and deviation are below these 8-bit grey levels is not used as poster. */
const BLACK_MEAN = 24;
const BLACK_DEVIATION = 12;
const POSTER_SAMPLE_PX = 64;
/** Messages of ffmpeg itself: tags quoted from a file are indented, and a file name is followed by more text. */
const NO_ROOM = /^\S.*: (?:No space left on device|Disk quota exceeded)\s*$/;
const DAMAGE = /error while decoding|invalid data found|error submitting|corrupt|partial file|missing image|truncat/i;

/** `-fps_mode` replaced `-vsync` in ffmpeg 5.1; later versions drop `-vsync`. Versions without a number are newer builds. */
function passthrough(version: string): string[] {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
  const isOld = major !== undefined && Number(major) * 100 + Number(minor) < 501;
  return [isOld ? '-vsync' : '-fps_mode', 'passthrough'];
}

/**
 * Selects the first frame, and then the first frame in each step of a grid that starts at that frame and has `rate` steps per second, so
 * that
 * times do not drift at uneven frame rates. Streams without timestamps are sampled by frame count.
 */
function selection(rate: number, video: VideoFacts): string {
  const step = `floor((t-ld(0))*${rate}+0.000001)`;
  const fps = video.fps === null ? 25 : video.fps.numerator / video.fps.denominator;
  const every = Math.max(1, Math.round(fps / rate));
  return `select='if(isnan(t),not(mod(n,${every})),if(eq(n,0),st(0,t)*0+st(1,0)*0+1,if(gt(${step},ld(1)),st(1,${step})*0+1,0)))'`;
}

function filters(rate: number, video: VideoFacts, maxSidePx: number | undefined): string {
  const scale = maxSidePx === undefined ? 1 : Math.min(1, maxSidePx / Math.max(video.width, video.height));
  const side = (px: number): number => Math.max(1, Math.round(px * scale));
  // JPEG readers assume full-range BT.601, whatever the video used.
  const size = `scale=w=${side(video.width)}:h=${side(video.height)}:out_color_matrix=bt601:out_range=full`;
  return [
    'sidedata=mode=delete',
    'showinfo=checksum=0',
    selection(rate, video),
    'showinfo=checksum=0',
    size,
    'setsar=1',
    'format=yuvj420p',
    `settb=${OUTPUT_TIME_BASE}`,
  ].join(',');
}

async function isBlack(path: string): Promise<boolean> {
  // Loaded at the first frame: the server needs the library for nothing else, and loading it takes part of each start.
  const { sharp } = await import('../images/sharp-runtime.ts');
  // The image is resized first because sharp computes statistics of the input, not of the pipeline's result.
  const { data, info } = await sharp(path)
    .resize(POSTER_SAMPLE_PX, POSTER_SAMPLE_PX, { fit: 'inside' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels } = await sharp(data, { raw: info }).stats();
  const [grey] = channels;
  return grey !== undefined && grey.mean < BLACK_MEAN && grey.stdev < BLACK_DEVIATION;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

interface Delivery {
  /** Delivers complete frames; with `true` it also waits for frames in progress. */
  pump(): Promise<void>;
  take(frame: LoggedFrame): void;
  times: number[];
  /** Number of selected frames without a file. */
  missing(): number;
  poster(): number;
}

/** A percent sign in the folder's own name would be read as the placeholder of the number. */
const outputPattern = (folder: string): string => join(resolve(folder).replaceAll('%', '%%'), '%08d.jpg');

/** Pairs ffmpeg's log with the files it writes: the n-th selected frame is the n-th file, which appears when it is complete. */
function createDelivery(options: ExtractOptions, video: VideoFacts): Delivery {
  const waiting: LoggedFrame[] = [];
  const times: number[] = [];
  let brightS: number | undefined;
  let running: Promise<void> = Promise.resolve();
  const fps = video.fps === null ? 25 : video.fps.numerator / video.fps.denominator;

  const deliver = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const path = join(options.outFolder, `${String(times.length + 1).padStart(8, '0')}.jpg`);
      if (!(await exists(path))) return;
      waiting.shift();
      const timestampS = next.timestamp_s ?? next.frame_number / fps;
      times.push(timestampS);
      if (brightS === undefined && !(await isBlack(path))) brightS = timestampS;
      await options.onFrame({ frame_number: next.frame_number, timestamp_s: timestampS, path });
    }
  };
  return {
    times,
    take: (frame) => waiting.push(frame),
    pump: () => {
      running = running.then(deliver);
      return running;
    },
    missing: () => waiting.length,
    poster: () => brightS ?? times[Math.floor(times.length / 2)] ?? 0,
  };
}

function failure(outcome: RunOutcome): VideoProblem {
  if (outcome.stopped === 'timed_out') return new VideoProblem('timed_out', message('video_slow'));
  const isEmpty = outcome.errorLines.some((line) => /cannot determine format of input stream|empty/i.test(line));
  const isDamaged = outcome.errorLines.some((line) => DAMAGE.test(line));
  if (isDamaged || (outcome.exitCode !== 0 && !isEmpty)) return explainFailure(outcome.errorLines);
  return new VideoProblem('no_frames', message('video_no_frames'));
}

/**
 * Extracts still frames from a video at a steady rate, with their exact numbers and times. Every frame is decoded, because a video's
 * frame numbers cannot be determined otherwise; memory use is constant. Rotation is applied and pixels are made square.
 *
 * @throws VideoProblem when the file gives no frame at all or the time limit is exceeded, AppError `disk_full` when the disk has no room
 * for
 * the frames. Rejects with the signal's reason when `signal` aborts, and with the error that `onFrame` throws; ffmpeg is then ended, and
 * files
 * already written stay.
 */
export async function extractFrames(videoPath: string, options: ExtractOptions): Promise<ExtractSummary> {
  const started = performance.now();
  const video = await probeVideo(videoPath, options);
  const maxFrames = options.maxFrames ?? DEFAULT_MAX_FRAMES;
  const requested = options.framesPerSecond ?? DEFAULT_FRAMES_PER_SECOND;
  const rate = video.duration_s === null ? requested : Math.min(requested, maxFrames / video.duration_s);

  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const delivery = createDelivery(options, video);
  const pump = (): void => {
    delivery.pump().catch((error: unknown) => failed.abort(error));
  };
  let isDamaged = false;
  let isFull = false;
  const followLog = createFrameLog((frame) => {
    delivery.take(frame);
    pump();
  });
  const threads = String(options.threads ?? DEFAULT_THREADS);
  const quiet = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'repeat+info', '-y'];
  const outcome = await runProgram(
    options.programs.ffmpeg,
    [
      ...[...quiet, '-threads', threads, ...inputArguments(videoPath)],
      ...['-map', `0:${video.stream_index}`, '-an', '-sn', '-dn'],
      ...['-vf', filters(rate, video, options.maxSidePx), ...passthrough(options.programs.version)],
      ...[
        '-enc_time_base',
        OUTPUT_TIME_BASE,
        '-frames:v',
        String(maxFrames),
        '-c:v',
        'mjpeg',
        '-q:v',
        JPEG_QUALITY,
        '-threads',
        '1',
      ],
      ...['-f', 'image2', '-atomic_writing', '1', outputPattern(options.outFolder)],
    ],
    {
      timeLimitMs: Math.max(1, options.timeLimitMs - (performance.now() - started)),
      maxOutputBytes: 1024,
      signal,
      onErrorLine: (line) => {
        followLog(line);
        isDamaged ||= DAMAGE.test(line);
        isFull ||= NO_ROOM.test(line);
      },
    },
  );
  await delivery.pump();
  if (isFull && outcome.exitCode !== 0) throw new AppError('disk_full', DISK_FULL);
  if (delivery.times.length === 0) throw failure(outcome);
  if (outcome.stopped === 'timed_out') throw failure(outcome);
  return {
    video,
    n_extracted: delivery.times.length,
    frames_per_second: rate,
    poster_timestamp_s: delivery.poster(),
    is_damaged: isDamaged || outcome.exitCode !== 0 || delivery.missing() > 0,
  };
}
