import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  app,
  clipboard,
  crashReporter,
  dialog,
  type IpcMainInvokeEvent,
  ipcMain,
  Menu,
  session,
  shell,
} from 'electron';
import { defaultDataFolder } from './infra/default-data-folder.ts';
import type { CoreStart } from './ipc/core-link.ts';
import type { IpcMessageEvent } from './ipc/electron-ipc.ts';
import { forwardIpc } from './ipc/forward-ipc.ts';
import { registerAppScheme, serveApp } from './shell/app-protocol.ts';
import { portOrAny } from './shell/choose-port.ts';
import { type CoreAddress, CoreProcess, CoreRefusal } from './shell/core-process.ts';
import { type Crash, followCrashes, writeCrashReport } from './shell/crash-reports.ts';
import { diagnosticsText, facts } from './shell/diagnostics.ts';
import { handleChooseFolder } from './shell/folder-dialog.ts';
import { handleItemFiles } from './shell/item-files.ts';
import { hasKeyStore } from './shell/key-wrap.ts';
import { isAppUrl, lockAllContents, lockPermissions } from './shell/lock-contents.ts';
import { handleLog } from './shell/log-page.ts';
import { loginStart } from './shell/login-start.ts';
import { type MenuCommand, menuTemplate } from './shell/menu.ts';
import { followOpenings } from './shell/openings.ts';
import { closeBeforeQuit } from './shell/quit.ts';
import { ShellClient } from './shell/shell-client.ts';
import { takeSingleInstance } from './shell/single-instance.ts';
import { systemTexts } from './shell/system-texts.ts';
import { handleTrash } from './shell/trash-files.ts';
import { WorkTray } from './shell/tray.ts';
import { startUpdates, type Updates } from './shell/updates.ts';
import { Windows } from './shell/windows.ts';
import { WorkStatus } from './shell/work-status.ts';
import type { Work } from './shell/work-watch.ts';

/** Default port of the API. */
const USUAL_PORT = 2080;
/** Channels to pages: states of the core, and commands of the menu. */
const CORE_CHANNEL = 'vitrine:core-away';
const COMMAND_CHANNEL = 'vitrine:command';
const USER_MODEL_ID = 'org.vitrine.app';
const entryFolder = import.meta.dirname;
const rendererFolder = join(entryFolder, '../renderer');

const OPTIONS = { data: { type: 'string' }, port: { type: 'string' } } as const;
const { values } = parseArgs({ args: process.argv.slice(1), options: OPTIONS, strict: false });
const dataFolder =
  typeof values.data === 'string' ? resolve(values.data) : defaultDataFolder(process.platform, process.env);
const desktopFolder = join(dataFolder, 'desktop');
const crashFolder = join(desktopFolder, 'crashes');
const logFile = join(dataFolder, 'logs', 'vitrine.log');
/** Beside the archive of a packaged app, else in the checkout. */
const iconFolder = join(app.isPackaged ? process.resourcesPath : join(entryFolder, '../../resources'), 'icons');
const login = loginStart(app, process.platform, process.env);
const windows = new Windows({ preloadFile: join(entryFolder, '../preload/preload.cjs'), folder: desktopFolder });

let baseUrl: string | undefined;
let updates: Updates | undefined;

registerAppScheme();
void startDesktop().catch((error: unknown) => {
  const isExplained = error instanceof CoreRefusal;
  const texts = systemTexts();
  dialog.showErrorBox(texts.cannot_start, isExplained ? `${error.message}.` : texts.unforeseen);
  if (!isExplained) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  app.exit(1);
});

async function startDesktop(): Promise<void> {
  if (!takeSingleInstance(app, desktopFolder)) {
    app.exit(0);
    return;
  }
  app.setAppUserModelId(USER_MODEL_ID);
  followCrashes(app, crashReporter, crashFolder, noteCrash);
  const startedWith = followOpenings(app, windows, wordsOf);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  await app.whenReady();
  const core: CoreProcess = new CoreProcess({
    entryFile: join(entryFolder, 'core-process.js'),
    startOptions,
    onMessage: (message) => calls.take(message),
    onAway: (exitCode) => {
      noteCrash({ what: 'core', reason: 'ended', exit_code: exitCode });
      calls.coreEnded();
      windows.tellAll(CORE_CHANNEL, true);
    },
    onBack: (address) => {
      noteAddress(address);
      calls.coreStarted();
      windows.tellAll(CORE_CHANNEL, false);
    },
    onGivenUp: () => void offerRetry(core),
  });
  const calls = forwardIpc({
    ipc: ipcMain,
    isTrustedSender,
    isCoreUp: () => core.isUp(),
    post: (message) => core.post(message),
  });
  const client: ShellClient = new ShellClient(calls, (event) => status.note(event));
  const status = new WorkStatus({
    texts: systemTexts(),
    client,
    show: (work) => showWork(work, tray),
    isFocused: () => windows.isFocused(),
    open: (address) => windows.show({ address }),
  });
  const tray = openTray((paused) => void status.pause(paused));
  closeBeforeQuit(
    app,
    async () => {
      windows.end();
      calls.close();
      tray.remove();
      await core.close();
    },
    (error) => process.stderr.write(`Vitrine did not close cleanly: ${String(error)}\n`),
  );
  updates = await startUpdates({
    texts: systemTexts(),
    isPackaged: app.isPackaged,
    feed: process.env.VITRINE_UPDATES_URL,
    hasOwnFeed: app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml')),
    load: async () => (await import('electron-updater')).autoUpdater,
    say: (message, detail) => void dialog.showMessageBox({ type: 'info', title: 'Vitrine', message, detail }),
    log: (error) => process.stderr.write(`Updates: ${String(error)}\n`),
  });
  const started = core.start();
  handleChooseFolder(ipcMain, isTrustedSender);
  handleLog(ipcMain, isTrustedSender, logFile);
  windows.handleOpenings(ipcMain, isTrustedSender);
  handleItemFiles({
    ipc: ipcMain,
    isTrustedSender,
    locate: (address) => client.locate(address),
    dragIcon: join(iconFolder, '64x64.png'),
  });
  handleTrash({ ipc: ipcMain, isTrustedSender, locate: (address) => client.locate(address), dataFolder });
  lockAllContents(app, () => baseUrl);
  lockPermissions(session.defaultSession);
  serveApp(rendererFolder);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(client)));
  app.on('activate', () => windows.front());
  // The page loads while the core starts; its first calls wait.
  windows.restore(startedWith());
  const address = await started;
  noteAddress(address);
  if (address.setupUrl !== null) process.stdout.write(`Create the first administrator: ${address.setupUrl}\n`);
  await client.subscribe();
  await status.refresh();
}

/** Arguments without options, and, before it is packaged, without the folder of the app. */
function wordsOf(args: readonly string[]): string[] {
  const { positionals } = parseArgs({ args: args.slice(1), options: OPTIONS, strict: false, allowPositionals: true });
  return app.isPackaged ? positionals : positionals.slice(1);
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

async function offerRetry(core: CoreProcess): Promise<void> {
  const texts = systemTexts();
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Vitrine',
    message: texts.stopped_several_times,
    detail: texts.data_is_safe,
    buttons: [texts.start_again, texts.quit],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) core.retry();
  else app.quit();
}

/** Whether a message comes from the top frame of the app's own page. */
function isTrustedSender(event: IpcMessageEvent | IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && isAppUrl(frame.url) && windows.has(event.sender.id);
}

function openTray(pause: (paused: boolean) => void): WorkTray {
  return new WorkTray({
    platform: process.platform,
    texts: systemTexts(),
    iconFile: join(iconFolder, process.platform === 'darwin' ? 'trayTemplate.png' : '32x32.png'),
    show: () => windows.front(),
    openTasks: () => windows.show({ address: '/tasks' }),
    pause,
    newDataset: () => sendCommand('new_dataset'),
    quit: () => app.quit(),
  });
}

function showWork(work: Work, tray: WorkTray): void {
  tray.update(work);
  windows.showProgress(work.nRunning === 0 ? undefined : (work.fraction ?? -1));
  app.setBadgeCount(work.nRunning);
}

function sendCommand(command: MenuCommand): void {
  windows.front().webContents.send(COMMAND_CHANNEL, command);
}

function menuOf(client: ShellClient): ReturnType<typeof menuTemplate> {
  return menuTemplate({
    platform: process.platform,
    appName: app.name,
    texts: systemTexts(),
    isDevelopment: !app.isPackaged,
    hasUpdates: updates !== undefined,
    startsAtLogin: login.isOn(),
    send: sendCommand,
    open: (address) => windows.show({ address }),
    newWindow: () => windows.open(),
    setStartsAtLogin: (isOn) => login.set(isOn),
    openHelp: () => openPage('/help/'),
    openApiPage: () => openPage('/api/v1/docs'),
    showLog: () => windows.show({ address: '/log' }),
    copyDiagnostics: () => void copyDiagnostics(client),
    checkForUpdates: () => void updates?.check(),
  });
}

/** Opens a page of our server in the user's browser. */
function openPage(path: string): void {
  if (baseUrl !== undefined) void shell.openExternal(`${baseUrl}${path}`);
}

async function copyDiagnostics(client: ShellClient): Promise<void> {
  const datasets = (await client.invoke('list_datasets', {})) ?? [];
  const numbers = { datasets: datasets.length, images: datasets.reduce((sum, { n_images }) => sum + n_images, 0) };
  clipboard.writeText(diagnosticsText(app.getVersion(), numbers, logFile, crashFolder));
}

function noteCrash(crash: Crash): void {
  writeCrashReport(crashFolder, crash, facts(app.getVersion()), new Date());
}
