import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { onCommand, record } from './control.ts';
import { calls } from './ipc-main.ts';

/*
 * The part of the `electron` module that the desktop app uses, implemented with Node and a real Chromium. `register.ts` replaces the real
 * module with it.
 */
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { ipcMain } from './ipc-main.ts';
export { MessageChannelMain } from './message-ports.ts';
export { protocol } from './page-server.ts';
export { session } from './session.ts';
export { utilityProcess } from './utility-process.ts';

export const nativeTheme = { shouldUseDarkColors: true };

export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };

let menu: MenuItemConstructorOptions[] = [];

export const Menu = {
  buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
  setApplicationMenu: (template: MenuItemConstructorOptions[]): void => {
    menu = template;
  },
};

let nextFolders: string[] | null = null;

export const dialog = {
  showOpenDialog: async (_window: unknown, options: unknown): Promise<{ canceled: boolean; filePaths: string[] }> => {
    record('open_dialog', options);
    return { canceled: nextFolders === null, filePaths: nextFolders ?? [] };
  },
  showMessageBox: async (options: { message: string }): Promise<{ response: number }> => {
    record('message_box', options);
    return { response: 0 };
  },
  showErrorBox: (title: string, content: string): void => {
    record('error_box', { title, content });
    process.stdout.write(`[error box] ${title}: ${content}\n`);
  },
};

/** Encrypts by reversing the bytes, which is enough to show that the key is not stored in plain text. */
export const safeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text: string) => Buffer.from(text).reverse(),
  decryptString: (encrypted: Buffer) => Buffer.from(encrypted).reverse().toString(),
};

/** A file that exists is a picture. */
export const nativeImage = { createFromPath: (file: string) => ({ file, isEmpty: () => !existsSync(file) }) };

let tray: { toolTip: string; menu: MenuItemConstructorOptions[]; isEmpty: boolean } | undefined;

export class Tray extends EventEmitter {
  constructor(image: { isEmpty(): boolean }) {
    super();
    tray = { toolTip: '', menu: [], isEmpty: image.isEmpty() };
  }
  setToolTip(text: string): void {
    if (tray !== undefined) tray.toolTip = text;
  }
  setContextMenu(template: MenuItemConstructorOptions[]): void {
    if (tray !== undefined) tray.menu = template;
  }
  destroy(): void {
    tray = undefined;
  }
}

const notifications: Notification[] = [];

export class Notification extends EventEmitter {
  readonly options: { title: string; body: string };
  static isSupported(): boolean {
    return true;
  }
  constructor(options: { title: string; body: string }) {
    super();
    this.options = options;
  }
  show(): void {
    notifications.push(this);
  }
}

export const clipboard = { writeText: (text: string): void => record('clipboard', text) };

export const crashReporter = { start: (options: unknown): void => record('crash_reporter', options) };

export const shell = {
  openPath: async (path: string): Promise<string> => {
    record('open_path', path);
    return '';
  },
  trashItem: async (path: string): Promise<void> => {
    record('trash', path);
    await moveToTrash(path);
  },
  showItemInFolder: (path: string): void => record('show_item', path),
  openExternal: async (url: string): Promise<void> => record('open_external', url),
};

/** Moves a file to the trash in `XDG_DATA_HOME`, like Linux desktops do. */
async function moveToTrash(path: string): Promise<void> {
  const home = process.env.XDG_DATA_HOME;
  if (home === undefined) throw new Error('The test sets no XDG_DATA_HOME.');
  const trash = join(home, 'Trash');
  for (const name of ['files', 'info']) await mkdir(join(trash, name), { recursive: true });
  const info = `[Trash Info]\nPath=${encodeURI(path)}\nDeletionDate=2030-01-01T00:00:00\n`;
  await writeFile(join(trash, 'info', `${basename(path)}.trashinfo`), info, { flag: 'wx' });
  await rename(path, join(trash, 'files', basename(path)));
}

function flat(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
}

onCommand(
  'tray',
  () => tray && { toolTip: tray.toolTip, isEmpty: tray.isEmpty, labels: tray.menu.map(({ label }) => label) },
);
onCommand('notifications', () => notifications.map(({ options }) => options));
onCommand('click_notification', (title) => {
  notifications.find(({ options }) => options.title === title)?.emit('click');
});
onCommand('ipc_calls', () => calls);
onCommand('answer_dialog', (folders) => {
  nextFolders = folders as string[] | null;
});
onCommand('click_menu', (label) => {
  const item = flat(menu).find((candidate) => candidate.label === label);
  if (item?.click === undefined) throw new Error(`No menu item ${String(label)}.`);
  (item.click as (item: unknown) => void)({ checked: item.checked !== true });
});
