import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { app, type BrowserWindow, dialog, type IpcMainInvokeEvent, ipcMain, Menu, session, shell } from 'electron';
import { builtWorkers } from './compose/worker-entries.ts';
import { AppError } from './contract/errors.ts';
import { defaultDataFolder } from './infra/data-folder.ts';
import type { IpcMessageEvent } from './ipc/electron-ipc.ts';
import { mountIpc } from './ipc/mount-ipc.ts';
import { registerAppScheme, serveApp } from './shell/app-protocol.ts';
import { portOrAny } from './shell/choose-port.ts';
import { handleChooseFolder } from './shell/folder-dialog.ts';
import { systemKeyWrap } from './shell/key-wrap.ts';
import { isAppUrl, lockAllContents, lockPermissions } from './shell/lock-contents.ts';
import { focusWindow, openMainWindow } from './shell/main-window.ts';
import { type MenuCommand, menuTemplate } from './shell/menu.ts';
import { closeBeforeQuit } from './shell/quit.ts';
import { takeSingleInstance } from './shell/single-instance.ts';
import { spawnUtilityChild } from './shell/spawn-utility-child.ts';
import { type Service, startService } from './start-service.ts';

/** Default port of the API. */
const USUAL_PORT = 2080;
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

registerAppScheme();
void startDesktop().catch((error: unknown) => {
  const isExplained = error instanceof AppError;
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
  const service = await startOnUsualPort();
  if (service.setupUrl !== null) process.stdout.write(`Create the first administrator: ${service.setupUrl}\n`);
  const unmountIpc = mountIpc({
    core: service.core,
    ipc: ipcMain,
    isTrustedSender,
    temporaryFolder: service.temporaryFolder,
    baseUrl: service.baseUrl,
  });
  closeBeforeQuit(
    app,
    async () => {
      unmountIpc();
      await service.close();
    },
    (error) => process.stderr.write(`Vitrine did not close cleanly: ${String(error)}\n`),
  );
  handleChooseFolder(ipcMain, isTrustedSender);
  lockAllContents(app, service.baseUrl);
  lockPermissions(session.defaultSession);
  serveApp(rendererFolder);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(service.baseUrl)));
  app.on('activate', showWindow);
  showWindow();
}

/** Starts at the requested port, else at the default one, else at any free port; the app works with any. */
async function startOnUsualPort(): Promise<Service> {
  const keyWrap = systemKeyWrap();
  return startService({
    dataFolder,
    port: typeof values.port === 'string' ? Number(values.port) : await portOrAny(USUAL_PORT),
    spawnChild: (log) =>
      spawnUtilityChild((name, stderr) =>
        log.debug({ compute_process: name, stderr }, 'compute process wrote to stderr'),
      ),
    workers: builtWorkers(entryFolder),
    rendererFolder,
    version: app.getVersion(),
    ...(keyWrap && { keyWrap }),
  });
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

function menuOf(baseUrl: string): ReturnType<typeof menuTemplate> {
  return menuTemplate({
    platform: process.platform,
    appName: app.name,
    isDevelopment: !app.isPackaged,
    send: (command: MenuCommand) => {
      showWindow();
      window?.webContents.send('vitrine:command', command);
    },
    openApiPage: () => void shell.openExternal(`${baseUrl}/api/v1/docs`),
  });
}
