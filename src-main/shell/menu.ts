import type { MenuItemConstructorOptions } from 'electron';

/** Commands of the menu that the page handles. */
export type MenuCommand = 'new_dataset' | 'open_palette' | 'toggle_theme';

export interface MenuOptions {
  platform: NodeJS.Platform;
  appName: string;
  /** Adds reload and the developer tools. */
  isDevelopment: boolean;
  /** Sends a command to the page. */
  send: (command: MenuCommand) => void;
  openApiPage: () => void;
}

/** The application menu as each system expects it. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, send } = options;
  const isMac = platform === 'darwin';
  const fileMenu: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'New Dataset…', accelerator: 'CmdOrCtrl+N', click: () => send('new_dataset') },
      { type: 'separator' },
      isMac ? { role: 'close' } : { role: 'quit', accelerator: 'Ctrl+Q' },
    ],
  };
  return [
    ...(isMac ? [macAppMenu(options.appName)] : []),
    fileMenu,
    { role: 'editMenu' },
    viewMenu(options),
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'API Documentation', click: options.openApiPage }] },
  ];
}

function macAppMenu(appName: string): MenuItemConstructorOptions {
  return {
    label: appName,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function viewMenu({ isDevelopment, send }: MenuOptions): MenuItemConstructorOptions {
  const development: MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { role: 'reload' },
    { role: 'toggleDevTools' },
  ];
  return {
    label: '&View',
    submenu: [
      { label: 'Command Palette…', accelerator: 'CmdOrCtrl+K', click: () => send('open_palette') },
      { label: 'Toggle Light and Dark', accelerator: 'CmdOrCtrl+Shift+L', click: () => send('toggle_theme') },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(isDevelopment ? development : []),
    ],
  };
}
