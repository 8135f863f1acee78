import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../../src-main/infra/videos/find-ffmpeg.ts';
import { runProgram } from '../../../src-main/infra/videos/run-program.ts';
import { ffmpegPrograms } from '../../support/ffmpeg.ts';
import { needs, posix } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const limits = { timeLimitMs: 20_000, maxOutputBytes: 1024 };

describe('findFfmpeg', () => {
  it('reports that ffmpeg is missing, and that a set path is wrong', async () => {
    const folder = await temporaryFolder();
    expect(await findFfmpeg({ searchPath: folder })).toEqual({
      missing: { code: 'ffmpeg_missing', params: {} },
    });
    const wrong = await findFfmpeg({ setPath: join(folder, 'none') });
    expect(wrong).toEqual({ missing: { code: 'ffmpeg_not_at_path', params: {} } });
    expect(JSON.stringify(wrong)).not.toContain(folder);
  });

  it('does not accept programs that do not run', needs(posix), async () => {
    const folder = await temporaryFolder();
    for (const name of ['ffmpeg', 'ffprobe']) {
      writeFileSync(join(folder, name), '#!/bin/sh\nexit 3\n');
      chmodSync(join(folder, name), 0o755);
    }
    expect(await findFfmpeg({ searchPath: folder })).toHaveProperty('missing');
  });

  it('uses a set file or folder first, then the bundled one, then the PATH', needs(ffmpegPrograms), async () => {
    if ('missing' in ffmpegPrograms) return;
    const { ffmpeg } = ffmpegPrograms;
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'empty'));
    expect(await findFfmpeg({ setPath: ffmpeg, searchPath: '' })).toEqual(ffmpegPrograms);
    expect(await findFfmpeg({ setPath: dirname(ffmpeg), searchPath: '' })).toEqual(ffmpegPrograms);
    expect(await findFfmpeg({ bundledFolder: dirname(ffmpeg), searchPath: '' })).toEqual(ffmpegPrograms);
    expect(await findFfmpeg({ bundledFolder: join(folder, 'empty'), searchPath: dirname(ffmpeg) })).toEqual(
      ffmpegPrograms,
    );
  });
});

describe('runProgram', () => {
  const node = (script: string, options: Partial<Parameters<typeof runProgram>[2]> = {}) =>
    runProgram(process.execPath, ['-e', script], { ...limits, ...options });

  it('stops a program that runs too long or writes too much, and one that was aborted', async () => {
    expect(await node('setInterval(() => {}, 1000)', { timeLimitMs: 300 })).toMatchObject({
      stopped: 'timed_out',
      exitCode: null,
    });
    const flood = await node("setInterval(() => process.stdout.write('x'.repeat(5000)), 1)");
    expect(flood.stopped).toBe('too_much_output');
    expect(flood.stdout.length).toBeLessThanOrEqual(limits.maxOutputBytes);
    const controller = new AbortController();
    const waiting = node("console.error('up'); setInterval(() => {}, 1000)", {
      signal: controller.signal,
      onErrorLine: () => controller.abort(new Error('enough')),
    });
    await expect(waiting).rejects.toThrow('enough');
  });

  it('keeps only the start of endless lines, and has no standard input', async () => {
    const lines: string[] = [];
    const outcome = await node(
      "process.stderr.write('a'.repeat(3e6) + '\\nlast\\n'); process.stdin.on('end', () => {}).resume()",
      { onErrorLine: (line) => lines.push(line) },
    );
    expect(outcome).toMatchObject({ exitCode: 0, stopped: undefined });
    expect(lines.map((line) => line.length)).toEqual([2000, 4]);
  });

  it('rejects when there is no such program', async () => {
    await expect(runProgram('/nowhere/at/all', [], limits)).rejects.toThrow('ENOENT');
  });
});
