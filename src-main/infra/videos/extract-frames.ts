import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError, DISK_FULL } from '../../contract/errors.ts';
import { sharp } from '../images/sharp-runtime.ts';
import { explainFailure } from './explain-failure.ts';
import type { FfmpegPrograms } from './find-ffmpeg.ts';
import { createFrameLog, type LoggedFrame } from './frame-log.ts';
import { inputArguments } from './input-arguments.ts';
import { probeVideo, type VideoFacts } from './probe-video.ts';
import { type RunOutcome, runProgram } from './run-program.ts';
import { VideoProblem } from './video-problem.ts';

export interface ExtractedFrame {
  /** Position among all frames of the stream in the order of showing, from 0. */
  frame_number: number;
  /** Seconds from the start of the file, as players count them. */
  timestamp_s: number;
  /** JPEG in the output folder. */
  path: string;
}

export interface ExtractOptions {
  programs: FfmpegPrograms;
  /** An existing folder; frames are written there as `00000001.jpg` and on, and stay for the caller to take or remove. */
  outFolder: string;
  /** Frames a second; 1 unless told. */
  framesPerSecond?: number;
  /** 600 unless told. For a video that would give more, the rate is lowered so that they spread evenly over all of it. */
  maxFrames?: number;
  /** Wider or higher frames are scaled down to this; the size as it is unless told. */
  maxSidePx?: number;
  timeLimitMs: number;
  /** Threads that decode; 2 unless told. */
  threads?: number;
  signal?: AbortSignal | undefined;
  /** Called for one frame after the other, as soon as its file is complete. */
  onFrame: (frame: ExtractedFrame) => void | Promise<void>;
}

export interface ExtractSummary {
  video: VideoFacts;
  n_extracted: number;
  /** The rate frames were taken at, after the cap. */
  frames_per_second: number;
  /** Time of the first frame that is not all but black, else of the middle one. */
  poster_timestamp_s: number;
  /** Some of the video could not be decoded or kept; the frames are those before or around the damage. */
  is_damaged: boolean;
}

const DEFAULT_FRAMES_PER_SECOND = 1;
const DEFAULT_MAX_FRAMES = 600;
const DEFAULT_THREADS = 2;
/** ffmpeg's scale from 2 to 31, best first; 2 is visually lossless. */
const JPEG_QUALITY = '2';
/** Fine enough that two frames never fall on one tick, as they may in that of a guessed frame rate: the encoder refuses the second. */
const OUTPUT_TIME_BASE = '1/1000000';
/** A frame darker and flatter than this, in 8-bit grey levels, makes no poster. */
const BLACK_MEAN = 24;
const BLACK_DEVIATION = 12;
const POSTER_SAMPLE_PX = 64;
/** What ffmpeg itself says; tags quoted from a file are indented, and a file's name is followed by more. */
const NO_ROOM = /^\S.*: (?:No space left on device|Disk quota exceeded)\s*$/;
const DAMAGE = /error while decoding|invalid data found|error submitting|corrupt|partial file|missing image|truncat/i;

/** `-fps_mode` came with ffmpeg 5.1 for `-vsync`, which later versions drop; versions without a number are newer builds. */
function passthrough(version: string): string[] {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
  const isOld = major !== undefined && Number(major) * 100 + Number(minor) < 501;
  return [isOld ? '-vsync' : '-fps_mode', 'passthrough'];
}

/**
 * Keeps the first frame, and then the first one in each step of a grid of `rate` steps a second that begins with it, so that
 * times do not drift at uneven frame rates. Streams without times go by frame count.
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
  // JPEG is read as full-range BT.601 whatever the video was.
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
  // A resized copy first: statistics are taken of the input, not of what the pipeline makes of it.
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
  /** Hands on what is complete; with `true` also waits for everything under way. */
  pump(): Promise<void>;
  take(frame: LoggedFrame): void;
  times: number[];
  /** How many kept frames have no file. */
  missing(): number;
  poster(): number;
}

/** A percent sign in the folder's own name would be read as a place for the number. */
const outputPattern = (folder: string): string => join(resolve(folder).replaceAll('%', '%%'), '%08d.jpg');

/** Pairs what ffmpeg logs with the files it writes: the n-th kept frame is the n-th file, which appears when it is complete. */
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
  if (outcome.stopped === 'timed_out') return new VideoProblem('timed_out', 'Reading the video took too long.');
  const isEmpty = outcome.errorLines.some((line) => /cannot determine format of input stream|empty/i.test(line));
  const isDamaged = outcome.errorLines.some((line) => DAMAGE.test(line));
  if (isDamaged || (outcome.exitCode !== 0 && !isEmpty)) return explainFailure(outcome.errorLines);
  return new VideoProblem('no_frames', 'The file holds no video frames.');
}

/**
 * Takes still frames from a video at a steady rate, with their exact numbers and times. Every frame is decoded, as a video's
 * frame numbers cannot be known otherwise; memory stays flat. Rotation is applied and pixels are made square.
 *
 * @throws VideoProblem when the file gives no frame at all or time runs out, and AppError `disk_full` when there is no room for its
 * frames. Rejects with the signal's reason when `signal` aborts,
 * and with what `on_frame` throws; ffmpeg is then ended, and files already written stay.
 */
export async function extractFrames(videoPath: string, options: ExtractOptions): Promise<ExtractSummary> {
  const started = performance.now();
  const video = await probeVideo(videoPath, options);
  const maxFrames = options.maxFrames ?? DEFAULT_MAX_FRAMES;
  const wanted = options.framesPerSecond ?? DEFAULT_FRAMES_PER_SECOND;
  const rate = video.duration_s === null ? wanted : Math.min(wanted, maxFrames / video.duration_s);

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
