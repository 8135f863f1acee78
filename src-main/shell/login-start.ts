import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App } from 'electron';

/** Whether and how the app starts when the user signs in to the computer. */
export interface LoginStart {
  isOn(): boolean;
  set(isOn: boolean): void;
}

/** Windows and macOS keep a list of programs; Linux has a folder of desktop files. */
export function loginStart(app: App, platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): LoginStart {
  if (platform !== 'linux') {
    return {
      isOn: () => app.getLoginItemSettings().openAtLogin,
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn }),
    };
  }
  const file = join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart', 'vitrine.desktop');
  return {
    isOn: () => existsSync(file),
    set: (isOn) => {
      if (!isOn) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      // An AppImage runs from a mounted file: its own path starts it again.
      writeFileSync(file, autostartEntry(environment.APPIMAGE ?? process.execPath));
    },
  };
}

/** A desktop file. Its standard wants quotes around a program with spaces, and backslashes before quotes and `$`. */
export function autostartEntry(program: string): string {
  const quoted = program.replace(/(["`$\\])/g, '\\$1').replaceAll('%', '%%');
  return `[Desktop Entry]\nType=Application\nName=Vitrine\nExec="${quoted}"\nX-GNOME-Autostart-enabled=true\n`;
}
