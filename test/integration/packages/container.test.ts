import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { stageProgram } from '../../../tools/package/stage-app.ts';
import { repository } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/*
 * The image is not built here: its start command and its health check run on this machine, with the folders of the image replaced by
 * temporary ones.
 */
const deploy = join(repository, 'integrations', 'deploy');
const containerfile = readFileSync(join(deploy, 'Containerfile'), 'utf8');

/** The last `INSTRUCTION` of the Containerfile. */
function last(instruction: RegExp): string {
  const [, text = ''] = [...containerfile.matchAll(instruction)].at(-1) ?? [];
  return text;
}

const commandOf = (text: string, replaced: Record<string, string>): string[] =>
  (JSON.parse(text) as string[]).map((word) =>
    Object.entries(replaced).reduce((kept, [from, to]) => kept.replace(from, to), word),
  );

it('starts its server with sign-in, and its health check sees whether it answers', async () => {
  const folder = await temporaryFolder();
  const app = join(folder, 'app');
  stageProgram(repository, app);
  await symlink(join(repository, 'node_modules'), join(app, 'node_modules'));
  const environment = Object.fromEntries(
    last(/^ENV (.+)$/gm)
      .split(' ')
      .map((pair) => pair.split('=')),
  );
  expect(environment).toMatchObject({ DISABLE_AUTH: 'false' });
  const port = String(20_000 + (process.pid % 20_000));
  const [, ...start] = commandOf(last(/^CMD (\[.+\])$/gm), { '/app': app, '2080': port });
  const server = spawn(process.execPath, start, {
    env: { ...process.env, ...environment, VITRINE_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve));
  const check = (at: string) => {
    const [, ...words] = commandOf(last(/^HEALTHCHECK[^[]+(\[.+\])$/gm), { '2080': at });
    const child = spawn(process.execPath, words, { stdio: 'inherit' });
    return new Promise((resolve) => child.once('exit', resolve));
  };
  expect(await check(port)).toBe(0);
  expect(await check('1')).toBe(1);
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/datasets`)).status).toBe(401);
});

it('runs without root, writes to its data alone, and is reached through the proxy only', () => {
  expect(last(/^USER (.+)$/gm)).toBe('vitrine');
  expect(last(/^VOLUME (.+)$/gm)).toBe('/data');
  const { services, networks } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'));
  expect(services.vitrine).toMatchObject({ read_only: true, cap_drop: ['ALL'], networks: ['inside'] });
  expect(services.vitrine).not.toHaveProperty('ports');
  expect(services.vitrine.environment).toMatchObject({ TRUST_PROXY: 'true' });
  expect(networks.inside).toEqual({ internal: true });
  expect(services.caddy.command).toContain('--to vitrine:2080');
});
