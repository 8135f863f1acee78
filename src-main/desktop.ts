import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { app, BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, Menu, session, shell } from 'electron';
import { defaultDataFolder } from './infra/default-data-folder.ts';
import type { CoreStart } from './ipc/core-link.ts';
import type { IpcMessageEvent } from './ipc/electron-ipc.ts';
import { forwardIpc } from './ipc/forward-ipc.ts';
import { registerAppScheme, serveApp } from './shell/app-protocol.ts';
import { portOrAny } from './shell/choose-port.ts';
import { type CoreAddress, CoreProcess, CoreRefusal } from './shell/core-process.ts';
import { handleChooseFolder } from './shell/folder-dialog.ts';
import { hasKeyStore } from './shell/key-wrap.ts';
import { isAppUrl, lockAllContents, lockPermissions } from './shell/lock-contents.ts';
import { focusWindow, openMainWindow } from './shell/main-window.ts';
import { type MenuCommand, menuTemplate } from './shell/menu.ts';
import { closeBeforeQuit } from './shell/quit.ts';
import { takeSingleInstance } from './shell/single-instance.ts';

/** Default port of the API. */
const USUAL_PORT = 2080;
/** Channel by which pages learn whether the core is away. */
const CORE_CHANNEL = 'vitrine:core-away';
const entryFolder = import.meta.dirname;
const rendererFolder = join(entryFolder, '../renderer');

const { values } = parseArgs({
  args: process.argv.slice(1),
  options: { data: { type: 'string' }, port: { type: 'string' } },
  strict: false,
});
const dataFolder =
  typeof values.data === 'string' ? resolve(values.data) : defaultDataFolder(process.platform, process.env);

let window: BrowserWindow | undefined;
let baseUrl: string | undefined;

registerAppScheme();
void startDesktop().catch((error: unknown) => {
  const isExplained = error instanceof CoreRefusal;
  dialog.showErrorBox('Vitrine cannot start', isExplained ? `${error.message}.` : 'Something unforeseen went wrong.');
  if (!isExplained) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  app.exit(1);
});

async function startDesktop(): Promise<void> {
  if (!takeSingleInstance(app, join(dataFolder, 'desktop'))) {
    app.exit(0);
    return;
  }
  app.on('second-instance', showWindow);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  await app.whenReady();
  const core: CoreProcess = new CoreProcess({
    entryFile: join(entryFolder, 'core-process.js'),
    startOptions,
    onMessage: (message) => calls.take(message),
    onAway: () => {
      calls.coreEnded();
      tellWindows(CORE_CHANNEL, true);
    },
    onBack: (address) => {
      noteAddress(address);
      calls.coreStarted();
      tellWindows(CORE_CHANNEL, false);
    },
    onGivenUp: () => void offerRetry(core),
  });
  const calls = forwardIpc({
    ipc: ipcMain,
    isTrustedSender,
    isCoreUp: () => core.isUp(),
    post: (message) => core.post(message),
  });
  closeBeforeQuit(
    app,
    async () => {
      calls.close();
      await core.close();
    },
    (error) => process.stderr.write(`Vitrine did not close cleanly: ${String(error)}\n`),
  );
  const started = core.start();
  handleChooseFolder(ipcMain, isTrustedSender);
  lockAllContents(app, () => baseUrl);
  lockPermissions(session.defaultSession);
  serveApp(rendererFolder);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf()));
  app.on('activate', showWindow);
  // The page loads while the core starts; its first calls wait.
  showWindow();
  const address = await started;
  noteAddress(address);
  if (address.setupUrl !== null) process.stdout.write(`Create the first administrator: ${address.setupUrl}\n`);
}

/** The core starts at the port that it had, else at the requested one, else at the default one, else at any free port. */
async function startOptions(earlierPort: number | undefined): Promise<Omit<CoreStart, 'session_token'>> {
  const isRequested = earlierPort === undefined && typeof values.port === 'string';
  return {
    data_folder: dataFolder,
    port: isRequested ? Number(values.port) : await portOrAny(earlierPort ?? USUAL_PORT),
    renderer_folder: rendererFolder,
    version: app.getVersion(),
    has_key_wrap: hasKeyStore(),
  };
}

function noteAddress(address: CoreAddress): void {
  baseUrl = address.baseUrl;
}

function tellWindows(channel: string, value: unknown): void {
  for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(channel, value);
}

async function offerRetry(core: CoreProcess): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Vitrine',
    message: 'Vitrine stopped working several times.',
    detail: 'Your data is safe. The log in the data folder says what happened.',
    buttons: ['Start again', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) core.retry();
  else app.quit();
}

function showWindow(): void {
  if (window !== undefined && !window.isDestroyed()) {
    focusWindow(window);
    return;
  }
  window = openMainWindow({
    preloadFile: join(entryFolder, '../preload/preload.cjs'),
    placementFile: join(dataFolder, 'desktop', 'window.json'),
  });
}

/** Whether a message comes from the top frame of the app's own page. */
function isTrustedSender(event: IpcMessageEvent | IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && isAppUrl(frame.url) && event.sender.id === window?.webContents.id;
}

function menuOf(): ReturnType<typeof menuTemplate> {
  return menuTemplate({
    platform: process.platform,
    appName: app.name,
    isDevelopment: !app.isPackaged,
    send: (command: MenuCommand) => {
      showWindow();
      window?.webContents.send('vitrine:command', command);
    },
    openApiPage: () => {
      if (baseUrl !== undefined) void shell.openExternal(`${baseUrl}/api/v1/docs`);
    },
  });
}
