import { execFileSync } from 'node:child_process';
import { formatMessage } from '../../src-main/contract/messages.ts';
import { type FfmpegPrograms, findFfmpeg } from '../../src-main/infra/videos/find-ffmpeg.ts';

/** ffmpeg as the product would find it on this machine. Tests that need it skip with the given reason if it is missing. */
export const ffmpegPrograms: FfmpegPrograms | { missing: string } = await withReason();

async function withReason(): Promise<FfmpegPrograms | { missing: string }> {
  const found = await findFfmpeg();
  return 'missing' in found ? { missing: formatMessage(found.missing) } : found;
}

/** Creates a test file. `args` are passed to ffmpeg. */
export function makeWithFfmpeg(args: string[]): void {
  if ('missing' in ffmpegPrograms) throw new Error(ffmpegPrograms.missing);
  execFileSync(ffmpegPrograms.ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args], { stdio: 'pipe' });
}

/** Returns why this ffmpeg lacks an encoder that a test needs, such as `libx265`, or undefined if it has the encoder. */
export function encoderMissing(name: string): string | undefined {
  return missing('encoder', name);
}

/** Like {@link encoderMissing}, for a container format. */
export function muxerMissing(name: string): string | undefined {
  return missing('muxer', name);
}

function missing(what: 'encoder' | 'muxer', name: string): string | undefined {
  if ('missing' in ffmpegPrograms) return ffmpegPrograms.missing;
  const list = execFileSync(ffmpegPrograms.ffmpeg, ['-hide_banner', `-${what}s`], { encoding: 'utf8', stdio: 'pipe' });
  const found = list.split('\n').some((line) => line.trim().split(/\s+/)[1] === name);
  return found ? undefined : `this ffmpeg has no ${what} ${name}`;
}
