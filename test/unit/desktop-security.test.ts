import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desktopConfig } from '../../tools/package/desktop-config.ts';
import type { Target } from '../../tools/package/target.ts';
import { repository } from '../support/server.ts';

/*
 * The parts of Electron's security checklist that are decided when the app is built or in its sources. The rest is asked of the running app
 * in test/e2e/desktop.test.ts: sandbox, isolation, policy, permissions, navigation and new windows.
 */
const config = (target: Target, environment: Record<string, string> = {}) =>
  desktopConfig({ root: repository, staged: '/app', target, output: '/out', electronVersion: '1.2.3', environment });
const linux: Target = { platform: 'linux', arch: 'x64' };
const mac: Target = { platform: 'darwin', arch: 'arm64' };

describe('the packaged app', () => {
  it('cannot be run as Node, be given options for Node, or load code from outside its archive', () => {
    for (const target of [linux, mac]) {
      expect(config(target).electronFuses).toMatchObject({
        runAsNode: false,
        enableNodeOptionsEnvironmentVariable: false,
        enableNodeCliInspectArguments: false,
        onlyLoadAppFromAsar: true,
        grantFileProtocolExtraPrivileges: false,
        enableCookieEncryption: true,
      });
    }
    expect(config(mac).electronFuses?.enableEmbeddedAsarIntegrityValidation).toBe(true);
  });

  it('is hardened on macOS, with two exceptions only, and notarised where there is a key', () => {
    expect(config(mac).mac).toMatchObject({ hardenedRuntime: true, notarize: false });
    expect(config(mac, { APPLE_API_KEY: '/key.p8' }).mac).toMatchObject({ notarize: true });
    const entitlements = readFileSync(String(config(mac).mac?.entitlements), 'utf8');
    expect([...entitlements.matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.disable-library-validation',
    ]);
  });

  it('looks for updates only at a feed that the build names', () => {
    expect(config(linux).publish).toBeNull();
    const feed = { VITRINE_UPDATES_URL: 'https://updates.example.org/' };
    expect(config(linux, feed).publish).toMatchObject({ provider: 'generic', url: feed.VITRINE_UPDATES_URL });
  });
});
