import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultDataFolder } from '../../src-main/infra/data-folder.ts';

it('is the platform’s place for application data; an empty variable counts as none', () => {
  const atHome = join(homedir(), '.local', 'share', 'vitrine');
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '/data' })).toBe(join('/data', 'vitrine'));
  expect(defaultDataFolder('linux', {})).toBe(atHome);
  expect(defaultDataFolder('linux', { XDG_DATA_HOME: '' })).toBe(atHome);
});
