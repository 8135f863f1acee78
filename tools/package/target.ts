/** The system that a package is built for. */
export interface Target {
  platform: 'linux' | 'win32' | 'darwin';
  arch: 'x64' | 'arm64';
}

/** Reads `linux-x64` and the like. */
export function parseTarget(text: string): Target {
  const [platform, arch] = text.split('-');
  if (platform !== 'linux' && platform !== 'win32' && platform !== 'darwin') throw new Error(`${text}: unknown system`);
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`${text}: unknown processor`);
  return { platform, arch };
}

export const hostTarget = (): Target => parseTarget(`${process.platform}-${process.arch}`);
