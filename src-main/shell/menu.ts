import type { MenuItemConstructorOptions } from 'electron';
import type { ShellTexts } from './shell-texts.ts';

/** Commands of the menu that the page handles. */
export type MenuCommand = 'new_dataset' | 'open_palette' | 'toggle_theme' | 'show_shortcuts';

export interface MenuOptions {
  platform: NodeJS.Platform;
  appName: string;
  texts: ShellTexts;
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
    editMenu(options),
    viewMenu(options),
    goMenu(options, isMac),
    windowMenu(options, isMac),
    helpMenu(options, isMac),
  ];
}

function fileMenu(options: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  const { texts, send, open, newWindow } = options;
  const ofApp: MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { label: texts.settings, accelerator: 'Ctrl+,', click: () => open('/settings') },
    loginItem(options),
    { type: 'separator' },
    { role: 'close', label: texts.close, accelerator: 'Ctrl+W' },
    { role: 'quit', label: texts.quit, accelerator: 'Ctrl+Q' },
  ];
  return {
    label: texts.file,
    submenu: [
      { label: texts.new_dataset, accelerator: 'CmdOrCtrl+N', click: () => send('new_dataset') },
      { label: texts.new_window, accelerator: 'CmdOrCtrl+Shift+N', click: newWindow },
      ...(isMac ? [{ type: 'separator' } as const, { role: 'close', label: texts.close } as const] : ofApp),
    ],
  };
}

function macAppMenu(options: MenuOptions): MenuItemConstructorOptions {
  const { appName, texts, open } = options;
  return {
    label: appName,
    submenu: [
      { role: 'about', label: texts.about },
      ...updateItem(options),
      { type: 'separator' },
      { label: texts.settings, accelerator: 'Cmd+,', click: () => open('/settings') },
      loginItem(options),
      { type: 'separator' },
      { role: 'services', label: texts.services },
      { type: 'separator' },
      { role: 'hide', label: texts.hide },
      { role: 'hideOthers', label: texts.hide_others },
      { role: 'unhide', label: texts.show_all },
      { type: 'separator' },
      { role: 'quit', label: texts.quit_vitrine },
    ],
  };
}

function editMenu({ texts }: MenuOptions): MenuItemConstructorOptions {
  return {
    role: 'editMenu',
    label: texts.edit,
    submenu: [
      { role: 'undo', label: texts.undo },
      { role: 'redo', label: texts.redo },
      { type: 'separator' },
      { role: 'cut', label: texts.cut },
      { role: 'copy', label: texts.copy },
      { role: 'paste', label: texts.paste },
      { role: 'selectAll', label: texts.select_all },
    ],
  };
}

function windowMenu({ texts }: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  const ofMac: MenuItemConstructorOptions[] = [
    { role: 'zoom', label: texts.zoom },
    { type: 'separator' },
    { role: 'front', label: texts.to_front },
  ];
  return {
    role: 'windowMenu',
    label: texts.window,
    submenu: [{ role: 'minimize', label: texts.minimize }, ...(isMac ? ofMac : [])],
  };
}

function loginItem(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: options.texts.start_at_login,
    type: 'checkbox',
    checked: options.startsAtLogin,
    click: (item) => options.setStartsAtLogin(item.checked),
  };
}

function updateItem({ texts, hasUpdates, checkForUpdates }: MenuOptions): MenuItemConstructorOptions[] {
  return hasUpdates ? [{ label: texts.check_for_updates, click: checkForUpdates }] : [];
}

function viewMenu({ texts, isDevelopment, send }: MenuOptions): MenuItemConstructorOptions {
  const development: MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { role: 'reload' },
    { role: 'toggleDevTools' },
  ];
  return {
    label: texts.view,
    submenu: [
      { label: texts.command_palette, accelerator: 'CmdOrCtrl+K', click: () => send('open_palette') },
      { label: texts.toggle_theme, accelerator: 'CmdOrCtrl+Shift+L', click: () => send('toggle_theme') },
      { type: 'separator' },
      { role: 'resetZoom', label: texts.actual_size },
      { role: 'zoomIn', label: texts.zoom_in },
      { role: 'zoomOut', label: texts.zoom_out },
      { type: 'separator' },
      { role: 'togglefullscreen', label: texts.full_screen },
      ...(isDevelopment ? development : []),
    ],
  };
}

function goMenu({ texts, open }: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  const key = isMac ? 'Cmd' : 'Alt';
  return {
    label: texts.go,
    submenu: [
      { label: texts.datasets, accelerator: `${key}+1`, click: () => open('/') },
      { label: texts.tasks, accelerator: `${key}+2`, click: () => open('/tasks') },
      { label: texts.models, accelerator: `${key}+3`, click: () => open('/models') },
    ],
  };
}

function helpMenu(options: MenuOptions, isMac: boolean): MenuItemConstructorOptions {
  const { texts } = options;
  return {
    role: 'help',
    label: texts.help,
    submenu: [
      { label: texts.vitrine_help, accelerator: 'F1', click: options.openHelp },
      { label: texts.keyboard_shortcuts, click: () => options.send('show_shortcuts') },
      { label: texts.api_documentation, click: options.openApiPage },
      { type: 'separator' },
      { label: texts.show_log, click: options.showLog },
      { label: texts.copy_diagnostics, click: options.copyDiagnostics },
      ...(isMac ? [] : updateItem(options)),
    ],
  };
}
