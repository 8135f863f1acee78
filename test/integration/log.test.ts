import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../../src-main/infra/log.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Linux's device on which every write fails with a full disk. */
const FULL = '/dev/full';

const noFullDevice = existsSync(FULL) ? undefined : `there is no ${FULL}`;

it('a log without disk space stops nothing', needs(noFullDevice), async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'logs'));
  await symlink(FULL, join(folder, 'logs', 'vitrine.log'));
  const log = createLog(folder);
  const write = (line: number) => log.error({ line }, 'a task failed because the disk is full');
  for (let line = 0; line < 3; line += 1) expect(() => write(line)).not.toThrow();
});

it('replaces a large log by a new one at start', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'logs', 'vitrine.log');
  await mkdir(join(folder, 'logs'));
  await writeFile(file, Buffer.alloc(11 * 1024 * 1024, 'x'));
  createLog(folder).info({}, 'started');
  expect((await readFile(file, 'utf8')).split('\n')[0]).toContain('"msg":"started"');
});

it('writes entries above the current level, also from existing child logs', async () => {
  const folder = await temporaryFolder();
  const log = createLog(folder);
  const child = log.child({ part: 1 });
  const writeAll = (name: string) => {
    child.debug({}, `${name} debug`);
    log.info({}, `${name} info`);
    child.warn({}, `${name} warning`);
    log.error({}, `${name} error`);
  };
  writeAll('first');
  log.setLevel('DEBUG');
  writeAll('second');
  log.setLevel('ERROR');
  writeAll('third');
  log.setLevel('CRITICAL');
  writeAll('fourth');
  const lines = (await readFile(join(folder, 'logs', 'vitrine.log'), 'utf8')).trim().split('\n');
  const written = ['first info', 'first warning', 'first error'];
  for (const level of ['debug', 'info', 'warning', 'error']) written.push(`second ${level}`);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([...written, 'third error']);
});
