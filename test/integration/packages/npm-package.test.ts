import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Vitrine } from '../../../clients/typescript/index.ts';
import { stageProgram } from '../../../tools/package/stage-app.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { repository } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  const staged = join(folder, 'staged');
  stageProgram(repository, staged);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: staged });
  // As npm installs it, but with the packages of this checkout instead of the registry's.
  const modules = join(folder, 'elsewhere', 'node_modules');
  await mkdir(modules, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string };
  execFileSync('tar', ['-xzf', join(folder, `vitrine-${version}.tgz`), '-C', modules]);
  installed = join(modules, 'package');
  await symlink(join(repository, 'node_modules'), join(installed, 'node_modules'));
});

describe('the npm package', () => {
  it('holds the built program and its papers, and neither sources nor scripts that run at its installation', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'vitrine', bin: { vitrine: 'bin/vitrine.mjs' }, engines: { node: '>=24' } });
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('private');
    for (const file of ['out/renderer/index.html', 'resources/models.json', 'LICENSE', 'NOTICE', 'licenses/MIT.txt']) {
      expect(existsSync(join(installed, file)), file).toBe(true);
    }
    for (const file of ['src-main', 'test', 'out/main/desktop.js.map', 'resources/screenshot.png']) {
      expect(existsSync(join(installed, file)), file).toBe(false);
    }
  });

  it('serves without a command, from any folder, and makes a dataset', async () => {
    const photos = join(folder, 'photos');
    await writeImages(photos, [1, 2, 3]);
    const child = spawn(process.execPath, [join(installed, 'bin', 'vitrine.mjs'), '--port', '0'], {
      cwd: join(folder, 'elsewhere'),
      env: { ...process.env, VITRINE_DATA: join(folder, 'data'), VITRINE_RECOMMENDED_ENCODER: 'declined' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const said = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
    const [, baseUrl = ''] = /^vitrine listening on (\S+)$/.exec(said) ?? [];
    const vitrine = new Vitrine({ baseUrl });
    const dataset = await vitrine.index({ path: photos, name: 'Photos' });
    expect(dataset).toMatchObject({ status_new: 'READY', n_images: 3 });
  });

  it('says which Node it needs', async () => {
    const old = join(folder, 'old.mjs');
    await cp(join(installed, 'bin', 'vitrine.mjs'), old);
    const pretend = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})`;
    const run = spawn(process.execPath, ['--import', pretend, old], { stdio: ['ignore', 'ignore', 'pipe'] });
    const text = (await run.stderr.toArray()).join('');
    expect(text).toContain('Vitrine needs Node 24; this is 20.1.0');
    expect(run.exitCode ?? (await new Promise((resolve) => run.once('exit', resolve)))).toBe(1);
  });
});
