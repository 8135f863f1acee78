import type { MenuItemConstructorOptions } from 'electron';

/** Commands of the menu that the page handles. */
export type MenuCommand = 'new_dataset' | 'open_palette' | 'toggle_theme' | 'show_shortcuts';

export interface MenuOptions {
  platform: NodeJS.Platform;
  appName: string;
  /** Adds reload and the developer tools. */
  isDevelopment: boolean;
  /** Whether updates are looked for. */
  hasUpdates: boolean;
  startsAtLogin: boolean;
  /** Sends a command to the page. */
  send: (command: MenuCommand) => void;
  /** Opens an address of the app in the front window. */
  open: (address: string) => void;
  newWindow: () => void;
  setStartsAtLogin: (isOn: boolean) => void;
  openHelp: () => void;
  openApiPage: () => void;
  showLog: () => void;
  copyDiagnostics: () => void;
  checkForUpdates: () => void;
}

/** The application menu as each system expects it. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = options.platform === 'darwin';
  return [
    ...(isMac ? [macAppMenu(options)] : []),
    fileMenu(options, isMac),
    { role: 'editMenu' },
    viewMenu(options),
    goMenu(options, isMac),
    { role: 'windowMenu' },
    helpMenu(options, isMac),
  ];
}

function fileMenu({ send, open, newWindow, ...options }: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  const ofApp: MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { label: 'Settings…', accelerator: 'Ctrl+,', click: () => open('/settings') },
    loginItem(options),
    { type: 'separator' },
    { role: 'close', accelerator: 'Ctrl+W' },
    { role: 'quit', accelerator: 'Ctrl+Q' },
  ];
  return {
    label: '&File',
    submenu: [
      { label: 'New Dataset…', accelerator: 'CmdOrCtrl+N', click: () => send('new_dataset') },
      { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: newWindow },
      ...(isMac ? [{ type: 'separator' } as const, { role: 'close' } as const] : ofApp),
    ],
  };
}

function macAppMenu(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: options.appName,
    submenu: [
      { role: 'about' },
      ...updateItem(options),
      { type: 'separator' },
      { label: 'Settings…', accelerator: 'Cmd+,', click: () => options.open('/settings') },
      loginItem(options),
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

function loginItem(options: Pick<MenuOptions, 'startsAtLogin' | 'setStartsAtLogin'>): MenuItemConstructorOptions {
  return {
    label: 'Start at Login',
    type: 'checkbox',
    checked: options.startsAtLogin,
    click: (item) => options.setStartsAtLogin(item.checked),
  };
}

function updateItem({ hasUpdates, checkForUpdates }: MenuOptions): MenuItemConstructorOptions[] {
  return hasUpdates ? [{ label: 'Check for Updates…', click: checkForUpdates }] : [];
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

function goMenu({ open }: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  const key = isMac ? 'Cmd' : 'Alt';
  return {
    label: '&Go',
    submenu: [
      { label: 'Datasets', accelerator: `${key}+1`, click: () => open('/') },
      { label: 'Tasks', accelerator: `${key}+2`, click: () => open('/tasks') },
      { label: 'Models', accelerator: `${key}+3`, click: () => open('/models') },
    ],
  };
}

function helpMenu(options: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: 'Vitrine Help', accelerator: 'F1', click: options.openHelp },
      { label: 'Keyboard Shortcuts', click: () => options.send('show_shortcuts') },
      { label: 'API Documentation', click: options.openApiPage },
      { type: 'separator' },
      { label: 'Show Log', click: options.showLog },
      { label: 'Copy Diagnostics', click: options.copyDiagnostics },
      ...(isMac ? [] : updateItem(options)),
    ],
  };
}
