import { homedir } from 'node:os';
import { join } from 'node:path';

/** Default data folder: the platform's folder for application data. */
export function defaultDataFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  if (platform === 'win32') return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Vitrine');
  return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'vitrine');
}
