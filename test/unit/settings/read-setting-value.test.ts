import { describe, expect, it } from 'vitest';
import { readSettingValue } from '../../../src-main/core/settings/read-setting-value.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../../src-main/core/settings/setting-declarations.ts';

describe('a value of a setting', () => {
  it.each<[SettingName, unknown, string]>([
    ['ADD_MEDIA_ENABLED', false, 'false'],
    ['ADD_MEDIA_ENABLED', 'True', 'true'],
    ['ADD_MEDIA_ENABLED', 0, 'false'],
    ['VIDEO_MAX_FRAMES', 20, '20'],
    ['VIDEO_MAX_FRAMES', ' 20 ', '20'],
    ['VIDEO_FRAMES_PER_SECOND', '0.5', '0.5'],
    ['ARCHIVE_MAX_DEPTH', '', ''],
    ['LOG_LEVEL', 'debug', 'DEBUG'],
    ['LOG_LEVEL', 'warn', 'WARNING'],
    ['MODEL_DEVICE', '', 'auto'],
    ['MODELS_HUB_URL', 'https://hub.example.org/models/', 'https://hub.example.org/models'],
    ['MODELS_MIRRORS', ['https://a.example', 'https://b.example/x'], 'https://a.example https://b.example/x'],
    ['BACKUP_FOLDER', '/media/drive ', '/media/drive '],
    ['S3_PATH_STYLE', true, 'true'],
  ])('%s reads %j as %j', (name, value, stored) => {
    expect(readSettingValue(name, value)).toBe(stored);
  });

  it.each<[SettingName, unknown]>([
    ['ADD_MEDIA_ENABLED', 'perhaps'],
    ['ADD_MEDIA_ENABLED', ''],
    ['ADD_MEDIA_ENABLED', null],
    ['ADD_MEDIA_ENABLED', { on: true }],
    ['VIDEO_MAX_FRAMES', 1.5],
    ['VIDEO_MAX_FRAMES', 0],
    ['VIDEO_MAX_FRAMES', 'many'],
    ['VIDEO_MAX_FRAMES', '1e999'],
    ['VIDEO_MAX_FRAMES', ['20']],
    ['LOG_LEVEL', 'loud'],
    ['LOG_LEVEL', 'constructor'],
    ['S3_ENDPOINT', 'ftp://example.org'],
    ['MODELS_HUB_URL', 'https://user:word@example.org'],
    ['MODELS_HUB_URL', ''],
    ['FFMPEG_PATH', 'bin/ffmpeg'],
    ['FFMPEG_PATH', '/bin/\0'],
    ['DEFAULT_ENCODER', 'x'.repeat(10_001)],
  ])('%s is never %j', (name, value) => {
    expect(() => readSettingValue(name, value)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('accepts its own default', () => {
    for (const name of SETTING_NAMES)
      expect(readSettingValue(name, SETTINGS[name].default)).toBe(SETTINGS[name].default);
  });
});
