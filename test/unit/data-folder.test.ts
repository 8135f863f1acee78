import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { openCatalog } from '../../src-main/infra/catalog/catalog.ts';
import { openDataFolder } from '../../src-main/infra/data-folder.ts';
import { defaultDataFolder } from '../../src-main/infra/default-data-folder.ts';
import { repository } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dataFolderModule = join(repository, 'src-main', 'infra', 'data-folder.ts');

it('is the platform’s folder for application data; an empty variable is ignored', () => {
  const atHome = join(homedir(), '.local', 'share', 'vitrine');
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '/data' })).toBe(join('/data', 'vitrine'));
  expect(defaultDataFolder('linux', {})).toBe(atHome);
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '' })).toBe(atHome);
});

it('is created unreadable to other users of the machine; an existing folder is unchanged', async () => {
  const folder = await temporaryFolder();
  const rightsOf = (path: string) => statSync(path).mode & 0o777;
  const made = join(folder, 'made');
  openDataFolder(made).release();
  expect(rightsOf(made)).toBe(0o700);
  const there = join(folder, 'there');
  mkdirSync(there);
  chmodSync(there, 0o750);
  openDataFolder(there).release();
  expect(rightsOf(there)).toBe(0o750);
});

it('reports a folder that cannot be written', async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'lock'));
  expect(() => openDataFolder(folder)).toThrow(/cannot be written to/);
});

it('rejects other processes even after its lock files were deleted', async () => {
  const folder = await temporaryFolder();
  const attempt = `import('${pathToFileURL(dataFolderModule)}').then(({ openDataFolder }) => openDataFolder(process.argv[1]))`;
  // SQLite's locks separate processes, not connections within one process, so a second process has to try.
  const tryAgain = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', attempt, folder], { encoding: 'utf8' }).stderr;
  const held = openDataFolder(folder);
  rmSync(join(folder, 'lock'));
  expect(tryAgain()).toContain('Another Vitrine is already using this data folder');
  const { catalog } = await openCatalog(folder);
  rmSync(join(folder, 'lock'));
  rmSync(join(folder, 'models', '.lock'));
  expect(tryAgain()).toContain('Another Vitrine is already using this data folder');
  catalog.close();
  held.release();
  expect(tryAgain()).toBe('');
});
