import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { until } from '../support/api.ts';
import { repository } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Files of a checkout that the development server reads. */
const COPIED = ['src-main', 'src-renderer', 'resources', 'tools', 'package.json', 'tsconfig.json'];

/** Copies the sources, so that changes to them affect no other test. */
async function copyOfSources(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of COPIED) await cp(join(repository, name), join(folder, name), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Starts the development server as `npm run dev` does. `lines` grows while it runs. */
function startDev(checkout: string): { process: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, ['tools/dev/dev.ts', '--port', '0'], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
  });
  return { process: child, lines };
}

/** Returns the messages about changed modules that an open page receives. */
async function updatesOf(pageUrl: string): Promise<string[]> {
  const client = await (await fetch(`${pageUrl}@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  const socket = new WebSocket(`${pageUrl.replace('http', 'ws')}?token=${token}`, 'vite-hmr');
  onTestFinished(() => socket.close());
  const updates: string[] = [];
  socket.addEventListener('message', ({ data }) => updates.push(String(data)));
  await once(socket, 'open');
  return updates;
}

it('npm run dev serves the sources with a sample dataset, and follows changes of core and pages', async () => {
  const checkout = await copyOfSources();
  const dev = startDev(checkout);
  const address = await until(
    async () => dev.lines.map((line) => /^vitrine dev: (\S+)/.exec(line)?.[1]).find((url) => url !== undefined),
    (url) => url !== undefined,
  );
  const pageUrl = address ?? '';
  const datasets = async () => (await (await fetch(`${pageUrl}api/v1/datasets`)).json()) as Dataset[];
  const [sample] = await until(datasets, ([first]) => first?.status_new === 'READY');
  expect(sample).toMatchObject({ display_name: 'Sample', n_images: 77 });
  expect(await (await fetch(pageUrl)).text()).toContain('/@vite/client');

  const updates = await updatesOf(pageUrl);
  await fetch(`${pageUrl}main.tsx`);
  await fetch(`${pageUrl}styles/base.css`, { headers: { accept: 'text/css' } });
  await appendFile(join(checkout, 'src-renderer', 'styles', 'base.css'), '\n.changed { color: red; }\n');
  await until(
    async () => updates,
    (all) => all.some((text) => text.includes('base.css')),
  );

  const core = join(checkout, 'src-main', 'contract', 'operations', 'settings.ts');
  await appendFile(core, '\n// A change.\n');
  await until(
    async () => dev.lines,
    (lines) => lines.includes('core restarted'),
  );
  expect(await datasets()).toHaveLength(1);

  dev.process.kill('SIGTERM');
  expect(await once(dev.process, 'exit')).toEqual([0, null]);
});
