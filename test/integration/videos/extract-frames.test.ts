import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  type ExtractedFrame,
  type ExtractOptions,
  type ExtractSummary,
  extractFrames,
} from '../../../src-main/infra/videos/extract-frames.ts';
import { type ProbeOptions, probeVideo } from '../../../src-main/infra/videos/probe-video.ts';
import { VideoProblem } from '../../../src-main/infra/videos/video-problem.ts';
import { encoderMissing, ffmpegPrograms, makeWithFfmpeg } from '../../support/ffmpeg.ts';
import { findMedia } from '../../support/media.ts';
import { needs } from '../../support/needs.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const media = findMedia();
const root = 'root' in media ? media.root : '';
const programs = 'missing' in ffmpegPrograms ? { ffmpeg: '', ffprobe: '', version: '' } : ffmpegPrograms;
const TIME_LIMIT_MS = 60_000;

const video = (...parts: string[]) => join(root, 'videos', ...parts);
const probe = (path: string, options: Partial<ProbeOptions> = {}) => probeVideo(path, { programs, ...options });

interface Extraction {
  frames: ExtractedFrame[];
  summary: ExtractSummary;
  folder: string;
}

async function extract(path: string, options: Partial<ExtractOptions> = {}): Promise<Extraction> {
  const folder = options.outFolder ?? (await temporaryFolder());
  const frames: ExtractedFrame[] = [];
  const summary = await extractFrames(path, {
    programs,
    outFolder: folder,
    timeLimitMs: TIME_LIMIT_MS,
    onFrame: (frame) => {
      expect(existsSync(frame.path)).toBe(true);
      frames.push(frame);
    },
    ...options,
  });
  expect(readdirSync(folder)).toHaveLength(frames.length);
  expect(summary.n_extracted).toBe(frames.length);
  return { frames, summary, folder };
}

async function problemOf(work: Promise<unknown>): Promise<VideoProblem> {
  const outcome = await work.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(VideoProblem);
  const problem = outcome as VideoProblem;
  expect(problem.message).toMatch(/^[A-Z][^/]*\.$/);
  return problem;
}

/** Returns which of three colours the counter clip shows: 0 (grey) for its first ten frames, 1 (red) for the next ten, then 2 (green). */
async function decade(path: string): Promise<number> {
  const { data } = await sharp(path)
    .extract({ left: 0, top: 0, width: 64, height: 64 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [red = 0, green = 0, blue = 0] = data;
  if (blue > red && blue > green) return 0;
  return red > green ? 1 : 2;
}

describe('video frames', needs(ffmpegPrograms, media), () => {
  it('returns the facts of a video', async () => {
    expect(await probe(video('bbb', 'video.mp4'))).toEqual({
      stream_index: 0,
      duration_s: 30,
      fps: { numerator: 24, denominator: 1 },
      width: 854,
      height: 480,
      codec: 'h264',
      container: 'mov,mp4,m4a,3gp,3g2,mj2',
      n_frames: 720,
      has_audio: true,
    });
    expect(await probe(video('mdn', 'frog.webm'))).toMatchObject({ codec: 'vp8', n_frames: null, width: 720 });
    expect(await probe(video('pyscenedetect', 'testvideo.mp4'))).toMatchObject({
      fps: { numerator: 30000, denominator: 1001 },
      n_frames: 720,
      has_audio: false,
    });
    // 640 coded pixels with a pixel aspect ratio of 16:9.
    expect(await probe(video('mp4parse_odd', 'h264_white_frame_sar_16_9.mp4'))).toMatchObject({
      width: 1138,
      height: 480,
    });
  });

  it('numbers every frame of the counter clip exactly', async () => {
    const { frames, summary } = await extract(video('pyscenedetect', 'counter.mp4'), { framesPerSecond: 10 });
    expect(frames.map(({ frame_number }) => frame_number)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(frames.map(({ timestamp_s }) => timestamp_s)).toEqual(Array.from({ length: 30 }, (_, index) => index / 10));
    for (const frame of frames) expect(await decade(frame.path)).toBe(Math.floor(frame.frame_number / 10));
    expect(summary).toMatchObject({ frames_per_second: 10, poster_timestamp_s: 0, is_damaged: false });
    expect(await sharp(frames[0]?.path).metadata()).toMatchObject({ format: 'jpeg', width: 1920, height: 1080 });
  });

  it('extracts one frame per second from the first, each the right one', async () => {
    const { frames } = await extract(video('pyscenedetect', 'counter.mp4'));
    expect(frames.map(({ frame_number, timestamp_s }) => [frame_number, timestamp_s])).toEqual([
      [0, 0],
      [10, 1],
      [20, 2],
    ]);
    expect(await Promise.all(frames.map(({ path }) => decade(path)))).toEqual([0, 1, 2]);
  });

  it('gives the same numbers as a plain count at a fractional rate', async () => {
    const { frames } = await extract(video('pyscenedetect', 'testvideo.mp4'), { maxSidePx: 320 });
    expect(frames).toHaveLength(24);
    for (const [index, { frame_number, timestamp_s }] of frames.entries()) {
      expect(frame_number).toBe(index * 30);
      expect(timestamp_s).toBeCloseTo((frame_number * 1001) / 30000, 5);
    }
    expect(await sharp(frames[0]?.path).metadata()).toMatchObject({ width: 320, height: 180 });
  });

  it('lowers the rate to the cap so that frames spread over the whole video', async () => {
    const { frames, summary } = await extract(video('bbb', 'video.mp4'), { maxFrames: 10, maxSidePx: 160 });
    expect(summary.frames_per_second).toBeCloseTo(1 / 3, 6);
    expect(frames.map(({ timestamp_s }) => timestamp_s)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
    expect(frames.map(({ frame_number }) => frame_number)).toEqual(frames.map(({ timestamp_s }) => timestamp_s * 24));
    // The film starts with a fade-in from black.
    expect(summary.poster_timestamp_s).toBeGreaterThan(0);
  });

  it('shows the same scenes at the same times in both codecs of a clip', async () => {
    for (const name of ['frog', 'pig']) {
      const mp4 = await extract(video('mdn', `${name}.mp4`), { maxSidePx: 64 });
      const webm = await extract(video('mdn', `${name}.webm`), { maxSidePx: 64 });
      expect(webm.frames.map(({ frame_number }) => frame_number)).toEqual(
        mp4.frames.map(({ frame_number }) => frame_number),
      );
      for (const [index, frame] of mp4.frames.entries()) {
        const [a, b] = await Promise.all([frame, webm.frames[index]].map((one) => sharp(one?.path).raw().toBuffer()));
        const difference = a?.reduce((sum, value, at) => sum + Math.abs(value - (b?.[at] ?? 0)), 0) ?? Infinity;
        expect(difference / (a?.length ?? 1)).toBeLessThan(10);
      }
    }
  });

  it('gives frames or a plain problem for every odd video, and no frames for init segments', async () => {
    const names = readdirSync(video('mp4parse_odd')).filter((name) => name.endsWith('.mp4'));
    expect(names.length).toBeGreaterThan(14);
    const outcomes: Record<string, string> = {};
    for (const name of names) {
      const outcome = await extract(video('mp4parse_odd', name)).catch((error: unknown) => error);
      if (outcome instanceof VideoProblem) expect(outcome.message).toMatch(/^[A-Z][^/]*\.$/);
      else expect((outcome as Extraction).frames[0]?.frame_number).toBe(0);
      outcomes[name] = outcome instanceof VideoProblem ? outcome.kind : 'frames';
    }
    expect(outcomes).toMatchObject({
      'bipbop_cbcs_video_init.mp4': 'no_frames',
      'bipbop_480wp_1001kbps-cenc-video-key1-init.mp4': 'no_frames',
      'bipbop_cbcs_audio_init.mp4': 'unsupported',
      'test_case_1185230.mp4': 'corrupt',
      'hevc_white_frame.mp4': 'frames',
      'tiny_av1.mp4': 'frames',
      'minimal.mp4': 'frames',
    });
  });

  it('refuses other files, and playlists that lead elsewhere', async () => {
    const folder = await temporaryFolder();
    const other = (name: string) => join(root, 'odd', 'smallest_files', name);
    expect((await problemOf(probe(other('jpeg.jpg')))).kind).toBe('unsupported');
    expect((await problemOf(probe(join(folder, 'gone.mp4')))).kind).toBe('unreadable');
    const playlist = join(folder, 'list.mp4');
    writeFileSync(
      playlist,
      `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://${video('pyscenedetect', 'counter.mp4')}\n`,
    );
    expect((await problemOf(extract(playlist))).kind).toMatch(/unsupported|corrupt/);
    writeFileSync(playlist, `ffconcat version 1.0\nfile '${video('pyscenedetect', 'counter.mp4')}'\n`);
    expect((await problemOf(extract(playlist))).kind).toMatch(/unsupported|corrupt/);
    writeFileSync(playlist, '');
    expect((await problemOf(extract(playlist))).kind).toBe('corrupt');
  });

  it('reports truncated and damaged files as corrupt', async () => {
    const folder = await temporaryFolder();
    const whole = readFileSync(video('bbb', 'video.mp4'));
    const path = join(folder, 'hurt.mp4');
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect((await problemOf(extract(path))).kind).toBe('corrupt');
    const hurt = Buffer.from(whole);
    for (let at = 400_000; at < 3_900_000; at += 9973) hurt[at] = (hurt[at] ?? 0) ^ 0x55;
    writeFileSync(path, hurt);
    const { summary, frames } = await extract(path, { maxSidePx: 64 });
    expect(summary.is_damaged).toBe(true);
    expect(frames.length).toBeGreaterThan(5);
  });

  it('stops at the time limit, on request, and when the receiver fails, and leaves no process running', async () => {
    const long = video('bbb', 'video.mp4');
    expect((await problemOf(extract(long, { timeLimitMs: 150 }))).kind).toBe('timed_out');
    const controller = new AbortController();
    const stopped = extract(long, {
      framesPerSecond: 24,
      signal: controller.signal,
      onFrame: () => controller.abort(new Error('told to')),
    });
    await expect(stopped).rejects.toThrow('told to');
    const failing = extract(long, { framesPerSecond: 24, onFrame: () => Promise.reject(new Error('disk full')) });
    await expect(failing).rejects.toThrow('disk full');
  });

  it('writes into folders with odd names', async () => {
    const folder = join(await temporaryFolder(), "50%d it's [odd] ü");
    mkdirSync(folder);
    const { frames } = await extract(video('mp4parse_odd', 'minimal.mp4'), { outFolder: folder });
    expect(frames).toHaveLength(1);
  });
});

describe('video frames of generated files', needs(encoderMissing('libx264')), () => {
  const make = async (name: string, source: string, ...args: string[]): Promise<string> => {
    const path = join(await temporaryFolder(), name);
    makeWithFfmpeg(['-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...args, path]);
    return path;
  };

  it('selects frames by time, not by number, when the frame rate varies', async () => {
    // 30 frames in 3 seconds, one at 4 s, then 30 per second from 6 s on.
    const pick = "select='if(lt(t,3),not(mod(n,3)),if(lt(t,6),eq(n,120),1))'";
    const path = await make('vfr.mp4', 'testsrc2=s=160x90:r=30:d=10', '-vf', pick, '-vsync', '0');
    const { frames } = await extract(path);
    expect(frames.map(({ frame_number, timestamp_s }) => [frame_number, timestamp_s])).toEqual([
      [0, 0],
      [10, 1],
      [20, 2],
      [30, 4],
      [31, 6],
      [61, 7],
      [91, 8],
      [121, 9],
    ]);
  });

  it('gives one frame per second even if the stated frame rate is wrong', async () => {
    // Encoded with a frame every 5 s, then timed at 20 per second and later every 0.135 s.
    const slow = await make('slow.mp4', 'testsrc2=s=160x90:r=1/5', '-frames:v', '120', '-bf', '0');
    const path = slow.replace('slow.mp4', 'timed.mkv');
    const times = "setts=ts='if(lt(N,60),N*0.05,3+(N-60)*0.135)/TB_OUT':duration='0.05/TB_OUT':time_base=1/1000";
    makeWithFfmpeg(['-i', slow, '-c', 'copy', '-bsf:v', times, path]);
    const { frames, summary } = await extract(path);
    expect(frames.map(({ timestamp_s }) => Math.floor(timestamp_s))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(summary.is_damaged).toBe(false);
  });

  it('rotates frames by the stated rotation', async () => {
    const plain = await make('plain.mp4', 'testsrc2=s=320x180:r=10:d=1');
    const turned = plain.replace('plain.mp4', 'turned.mp4');
    // Matrix of a video from a phone held upright (ISO/IEC 14496-12, 8.3.2): a quarter turn clockwise.
    const bytes = readFileSync(plain);
    const matrix = bytes.indexOf('tkhd') + 44;
    for (const [index, value] of [0, 0x10000, 0, -0x10000, 0].entries()) bytes.writeInt32BE(value, matrix + index * 4);
    writeFileSync(turned, bytes);
    expect(await probe(turned)).toMatchObject({ width: 180, height: 320 });
    const straight = (await extract(plain)).frames[0];
    const upright = (await extract(turned)).frames[0];
    expect(await sharp(upright?.path).metadata()).toMatchObject({ width: 180, height: 320 });
    const back = await sharp(upright?.path).rotate(-90).raw().toBuffer();
    const expected = await sharp(straight?.path).raw().toBuffer();
    const difference = back.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / back.length;
    const other = await sharp(upright?.path).rotate(90).raw().toBuffer();
    const wrong = other.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / other.length;
    expect(difference).toBeLessThan(Math.min(8, wrong / 3));
  });

  it('does not treat a cover as the video, or a song with a cover as a video', needs(media), async () => {
    const plain = await make('plain.mp4', 'testsrc2=s=320x180:r=10:d=2');
    const cover = join(root, 'odd', 'exif_orientation', 'Landscape_1.jpg');
    const covered = plain.replace('plain.mp4', 'covered.mp4');
    makeWithFfmpeg([
      '-i',
      cover,
      '-i',
      plain,
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-disposition:v:0',
      'attached_pic',
      covered,
    ]);
    expect(await probe(covered)).toMatchObject({ width: 320, height: 180, n_frames: 20 });
    expect((await extract(covered)).frames).toHaveLength(2);
    const song = plain.replace('plain.mp4', 'song.mp4');
    makeWithFfmpeg([
      ...['-f', 'lavfi', '-i', 'sine=d=1', '-i', cover, '-map', '0', '-map', '1'],
      ...['-c:v', 'copy', '-disposition:v:0', 'attached_pic', song],
    ]);
    expect((await problemOf(probe(song))).kind).toBe('unsupported');
  });

  it('continues numbering when the image size changes within a stream', async () => {
    const big = await make('big.ts', 'testsrc2=s=320x180:r=10:d=2', '-bf', '0');
    const small = await make('small.ts', 'testsrc2=s=160x90:r=10:d=2', '-bf', '0', '-output_ts_offset', '2');
    const joined = big.replace('big.ts', 'joined.ts');
    writeFileSync(joined, Buffer.concat([readFileSync(big), readFileSync(small)]));
    const { frames } = await extract(joined, { maxFrames: 100, framesPerSecond: 2 });
    const numbers = frames.map(({ frame_number }) => frame_number);
    expect(numbers.slice(0, 6)).toEqual([0, 5, 10, 15, 20, 25]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('reads other common containers', async () => {
    const kinds: [string, string[]][] = [
      ['a.mov', []],
      ['a.m4v', []],
      ['a.mkv', []],
      ['a.flv', []],
      ['a.avi', ['-c:v', 'mpeg4']],
      ['a.wmv', ['-c:v', 'wmv2']],
    ];
    for (const [name, args] of kinds) {
      const path = await make(name, 'testsrc2=s=160x90:r=10:d=2', ...args);
      const { frames, summary } = await extract(path);
      expect(summary.video, name).toMatchObject({ width: 160, height: 90 });
      expect(
        frames.map(({ frame_number }) => frame_number),
        name,
      ).toEqual([0, 10]);
    }
  });

  it('reports a full disk, not a damaged video, when no frame fits', async (context) => {
    const path = await make('large.mkv', 'testsrc2=s=1280x720:r=1:d=2');
    const disk = await smallDisk(context, 2);
    disk.fill(8);
    const options = { programs, outFolder: disk.data, timeLimitMs: TIME_LIMIT_MS, onFrame: () => undefined };
    await expect(extractFrames(path, options)).rejects.toMatchObject({ code: 'disk_full' });
    disk.free();
    expect((await extractFrames(path, options)).n_extracted).toBe(2);
  });
});
