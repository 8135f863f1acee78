import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Message, message } from '../../contract/messages.ts';
import { runProgram } from './run-program.ts';

export interface FfmpegPrograms {
  /** Absolute path of each program. */
  ffmpeg: string;
  ffprobe: string;
  /** Version as reported by the program, such as `5.1.9-0+deb12u1`. */
  version: string;
}

export interface FindFfmpegOptions {
  /** Path set by the user: the program or the folder that contains it. */
  setPath?: string | undefined;
  /** Folder of the ffmpeg that a packaged application includes. */
  bundledFolder?: string | undefined;
  /** Folders to search, in the format of the PATH variable, which is the default. */
  searchPath?: string | undefined;
}

const VERSION_LIMIT_MS = 10_000;
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function versionOf(program: string): Promise<string | undefined> {
  const limits = { timeLimitMs: VERSION_LIMIT_MS, maxOutputBytes: 64 * 1024 };
  const outcome = await runProgram(program, ['-version'], limits).catch(() => undefined);
  return outcome === undefined ? undefined : /^ff\w+ version (\S+)/.exec(outcome.stdout.toString())?.[1];
}

/** Returns both programs in `folder` if they exist and run. */
async function programsIn(folder: string): Promise<FfmpegPrograms | undefined> {
  const ffmpeg = join(folder, `ffmpeg${SUFFIX}`);
  const ffprobe = join(folder, `ffprobe${SUFFIX}`);
  if (!(await isProgram(ffmpeg)) || !(await isProgram(ffprobe))) return undefined;
  const version = await versionOf(ffmpeg);
  if (version === undefined || (await versionOf(ffprobe)) === undefined) return undefined;
  return { ffmpeg, ffprobe, version };
}

/**
 * Finds ffmpeg and ffprobe: at the path set by the user, otherwise bundled, otherwise on the PATH. When a path is set, no other is tried,
 * so
 * that a mistake in it is visible. `missing` says why there is none.
 */
export async function findFfmpeg(options: FindFfmpegOptions = {}): Promise<FfmpegPrograms | { missing: Message }> {
  const { setPath, bundledFolder } = options;
  if (setPath !== undefined && setPath.trim() !== '') {
    const isFile = await isProgram(setPath);
    const found = await programsIn(isFile ? dirname(setPath) : setPath);
    return found ?? { missing: message('ffmpeg_not_at_path') };
  }
  const searched = (options.searchPath ?? process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of [bundledFolder ?? '', ...searched]) {
    const found = folder === '' ? undefined : await programsIn(folder);
    if (found !== undefined) return found;
  }
  return { missing: message('ffmpeg_missing') };
}
