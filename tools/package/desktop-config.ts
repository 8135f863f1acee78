import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import type { Target } from './target.ts';

/** Packages with binaries, which the system loads from real files. */
const NATIVE = ['onnxruntime-node', 'better-sqlite3', 'sharp', '@img', '@node-rs'];

export interface DesktopOptions {
  root: string;
  /** Folder that {@link stageProgram} and {@link stagePackages} filled. */
  staged: string;
  target: Target;
  output: string;
  electronVersion: string;
  /** Folder of an unpacked Electron, instead of the one that is downloaded. */
  electronDist?: string | undefined;
  /** Folder with models by package, which are installed without a network. */
  models?: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The configuration of electron-builder. Keys come from the environment: `CSC_LINK` and `CSC_KEY_PASSWORD` sign, `APPLE_API_KEY`,
 * `APPLE_API_KEY_ID` and `APPLE_API_ISSUER` notarise, `VITRINE_UPDATES_URL` is where the app looks for updates.
 */
export function desktopConfig(options: DesktopOptions): Configuration {
  const { root, staged, target, electronDist, models, environment } = options;
  const icons = join(root, 'resources', 'icons');
  const updates = environment.VITRINE_UPDATES_URL;
  return {
    appId: 'org.vitrine.app',
    productName: 'Vitrine',
    artifactName: `${['Vitrine', word('version'), word('os'), word('arch')].join('-')}.${word('ext')}`,
    directories: { app: staged, output: options.output, buildResources: icons },
    electronVersion: options.electronVersion,
    ...(electronDist !== undefined && { electronDist }),
    // The packages are staged for the target: nothing is installed or compiled here.
    npmRebuild: false,
    beforeBuild: async () => false,
    files: ['**/*', '!resources/**', '!bin/**', '!licenses/**', '!out/main/headless.js', '!out/main/vitrine.js'],
    asar: true,
    asarUnpack: NATIVE.map((name) => `node_modules/${name}/**`),
    // Read by native code too, so outside the archive. `findResources` looks beside it.
    extraResources: [
      { from: join(staged, 'resources'), to: '.' },
      { from: join(staged, 'licenses'), to: 'licenses' },
      { from: join(staged, 'NOTICE'), to: 'NOTICE' },
      { from: join(staged, 'LICENSE'), to: 'LICENSE' },
      ...(models === undefined ? [] : [{ from: models, to: 'models' }]),
    ],
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      // Not on Linux, where Electron does not check it.
      enableEmbeddedAsarIntegrityValidation: target.platform !== 'linux',
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    },
    protocols: [{ name: 'Vitrine', schemes: ['vitrine'] }],
    fileAssociations: [
      {
        ext: 'parquet',
        name: 'Parquet table',
        description: 'List of images',
        role: 'Viewer',
        mimeType: 'application/vnd.apache.parquet',
      },
    ],
    publish: updates === undefined ? null : { provider: 'generic', url: updates, channel: channelOf(target) },
    linux: {
      target: ['AppImage', 'deb', 'rpm'],
      category: 'Graphics',
      icon: icons,
      executableName: 'vitrine-desktop',
      maintainer: 'Vitrine contributors <noreply@vitrine.invalid>',
      synopsis: 'Datasets of images and videos',
      mimeTypes: ['inode/directory', 'x-scheme-handler/vitrine'],
    },
    deb: { packageName: 'vitrine-desktop', recommends: ['ffmpeg'] },
    rpm: { packageName: 'vitrine-desktop' },
    win: { target: ['nsis', 'portable'], icon: join(icons, 'icon.ico') },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
    },
    mac: {
      target: ['dmg', 'zip'],
      icon: join(icons, 'icon.icns'),
      category: 'public.app-category.photography',
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: join(import.meta.dirname, 'mac', 'entitlements.plist'),
      entitlementsInherit: join(import.meta.dirname, 'mac', 'entitlements.plist'),
      notarize: environment.APPLE_API_KEY !== undefined,
    },
  };
}

/** Name of the list of versions. On Linux the updater adds the processor itself; for macOS there is one. */
function channelOf({ platform, arch }: Target): string {
  return platform === 'win32' && arch === 'arm64' ? 'latest-arm64' : 'latest';
}

/** A word that electron-builder replaces. */
function word(name: string): string {
  return `\${${name}}`;
}
