import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { until } from '../support/api.ts';
import { repository, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs `npm run serve` as a user does, in its own process group as a terminal would create. */
async function serve(data: string) {
  const npm = spawn('npm', ['run', 'serve', '--', '--port', '0', '--data', data], {
    cwd: repository,
    env: { ...process.env, MALLOC_ARENA_MAX: undefined },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said = await new Promise<string>((found, failed) => {
    let lines = '';
    createInterface({ input: npm.stdout }).on('line', (line) => {
      lines += `${line}\n`;
      if (line.startsWith('Data folder:')) found(lines);
    });
    npm.once('exit', (code) => failed(new Error(`npm ended with ${code}`)));
  });
  const [, address = '', folder] = /^vitrine listening on (\S+)\nData folder: (.+)$/m.exec(said) ?? [];
  expect(folder).toBe(data);
  return { npm, address };
}

async function isAnswering(address: string): Promise<boolean> {
  try {
    await fetch(`${address}/api/v1/healthcheck`);
    return true;
  } catch {
    return false;
  }
}

it.each([
  ['SIGTERM to npm alone', 'SIGTERM', 'npm'],
  ['SIGINT to all of its processes, as Ctrl-C sends it', 'SIGINT', 'all'],
  ['SIGHUP to all of its processes, as a terminal sends it that is closed', 'SIGHUP', 'all'],
] as const)('npm run serve ends on %s, and unlocks its data folder', async (_what, signal, receiver) => {
  const data = await temporaryFolder();
  const { npm, address } = await serve(data);
  expect(await isAnswering(address)).toBe(true);
  const pid = npm.pid ?? 0;
  process.kill(receiver === 'all' ? -pid : pid, signal);
  await until(
    () => isAnswering(address),
    (answers) => !answers,
  );
  const next = await until(() => startServer(data).catch(() => undefined));
  expect(await next?.stop()).toBe(0);
});

it('npm run serve limits what malloc keeps of freed memory', async ({ onTestFinished, skip }) => {
  if (process.platform !== 'linux') return skip('the setting is one of glibc');
  const { npm } = await serve(await temporaryFolder());
  const session = npm.pid ?? 0;
  onTestFinished(() => void process.kill(-session, 'SIGTERM'));
  const pids = execFileSync('ps', ['-o', 'pid=', '-s', String(session)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const environments = pids.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'));
  expect(environments).toContainEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=2']));
});
