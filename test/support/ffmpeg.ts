import { execFileSync } from 'node:child_process';
import { type FfmpegPrograms, findFfmpeg } from '../../src-main/infra/videos/find-ffmpeg.ts';

/** ffmpeg as the product would find it here; tests that need it skip with the given reason when there is none. */
export const ffmpegPrograms: FfmpegPrograms | { missing: string } = await findFfmpeg();

/** Makes a test file; `args` are ffmpeg's own. */
export function makeWithFfmpeg(args: string[]): void {
  if ('missing' in ffmpegPrograms) throw new Error(ffmpegPrograms.missing);
  execFileSync(ffmpegPrograms.ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args], { stdio: 'pipe' });
}

/** Whether this ffmpeg can write what a test needs, such as `libx265`. */
export function hasEncoder(name: string): boolean {
  if ('missing' in ffmpegPrograms) return false;
  const list = execFileSync(ffmpegPrograms.ffmpeg, ['-hide_banner', '-encoders'], { encoding: 'utf8', stdio: 'pipe' });
  return list.split('\n').some((line) => line.trim().split(/\s+/)[1] === name);
}
