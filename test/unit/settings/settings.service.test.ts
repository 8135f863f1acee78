import { expect, it, onTestFinished } from 'vitest';
import { SettingsService } from '../../../src-main/core/settings/settings.service.ts';
import { openCatalog } from '../../../src-main/infra/catalog/catalog.ts';
import { openSecretBox } from '../../../src-main/infra/secrets/secret-box.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Opens the settings of a new catalog. Returns also a function that reads them again, as the next start does. */
async function openSettings(environment: Record<string, string> = {}) {
  const folder = await temporaryFolder();
  const { catalog } = await openCatalog(folder);
  const box = await openSecretBox(folder, undefined);
  onTestFinished(() => catalog.close());
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (fields: unknown) => void warnings.push(fields) };
  const open = () => new SettingsService({ catalog, environment, box, log });
  return { settings: open(), reopen: open, catalog, warnings };
}

it('a set value takes precedence over the environment, and the environment over the default', async () => {
  const { settings, reopen } = await openSettings({ VITRINE_EXPORT_DAYS: '3' });
  expect(settings.number('EXPORT_DAYS')).toBe(3);
  expect(settings.number('SESSION_HOURS')).toBe(168);
  settings.set('EXPORT_DAYS', '5');
  expect(settings.number('EXPORT_DAYS')).toBe(5);
  expect(settings.isOverridden('EXPORT_DAYS')).toBe(true);
  expect(reopen().number('EXPORT_DAYS')).toBe(5);
  settings.reset('EXPORT_DAYS', () => undefined);
  expect(settings.number('EXPORT_DAYS')).toBe(3);
  expect(reopen().isOverridden('EXPORT_DAYS')).toBe(false);
});

it('an invalid value of the environment or the catalog is ignored, and logged', async () => {
  const { settings, reopen, catalog, warnings } = await openSettings({ VITRINE_LOG_LEVEL: 'LOUD' });
  expect(settings.logLevel()).toBe('INFO');
  catalog.run('INSERT INTO setting VALUES (:name, :value)', { name: 'EXPORT_DAYS', value: 'never' });
  catalog.run('INSERT INTO setting VALUES (:name, :value)', { name: 'NO_LONGER_KNOWN', value: '1' });
  expect(reopen().number('EXPORT_DAYS')).toBe(7);
  expect(warnings).toContainEqual({ variable: 'VITRINE_LOG_LEVEL' });
  expect(warnings).toContainEqual({ setting: 'EXPORT_DAYS' });
});

it('a refused value changes nothing, and neither does one whose transaction fails', async () => {
  const { settings, reopen } = await openSettings();
  const changed: string[] = [];
  settings.onChange((name) => changed.push(name));
  expect(() => settings.set('EXPORT_DAYS', 'soon')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  const fail = () => {
    throw new Error('no audit entry');
  };
  expect(() => settings.set('EXPORT_DAYS', '5', fail)).toThrow('no audit entry');
  expect(settings.number('EXPORT_DAYS')).toBe(7);
  expect(reopen().number('EXPORT_DAYS')).toBe(7);
  expect(changed).toEqual([]);
  settings.set('EXPORT_DAYS', '5');
  settings.reset('EXPORT_DAYS', () => undefined);
  expect(changed).toEqual(['EXPORT_DAYS', 'EXPORT_DAYS']);
});

it('an empty value means the default of the caller', async () => {
  const { settings } = await openSettings({ VITRINE_ARCHIVE_MAX_DEPTH: '3' });
  const defaults = { max_entries: 10, max_total_bytes: 20, max_entry_bytes: 30, max_ratio: 40, max_depth: 50 };
  expect(settings.archiveLimits(defaults)).toEqual({ ...defaults, max_depth: 3 });
  expect(settings.objectStorage()).toEqual({});
  settings.set('S3_PATH_STYLE', '1');
  expect(settings.objectStorage()).toEqual({ pathStyle: true });
});

it('without opened folders, a desktop opens all and a shared server none', async () => {
  const { settings } = await openSettings();
  expect(settings.openedFolders(false)).toBeNull();
  expect(settings.openedFolders(true)).toEqual([]);
  settings.set('OPENED_FOLDERS', '/photos\n/videos');
  expect(settings.openedFolders(false)).toEqual(['/photos', '/videos']);
});

it('encrypts a secret in the catalog, and returns it after the next start', async () => {
  const { settings, reopen, catalog } = await openSettings();
  settings.set('VECTOR_ENGINE_KEY', 'not to be read');
  expect(JSON.stringify(catalog.all('SELECT value FROM setting'))).not.toContain('not to be read');
  expect(reopen().get('VECTOR_ENGINE_KEY')).toBe('not to be read');
});
