import { BrowserWindow, nativeTheme, screen } from 'electron';
import { reloadOnceAfterCrash } from './renderer-crash.ts';
import { APP_URL } from './renderer-files.ts';
import { type Area, readWindowPlacement, writeWindowPlacement } from './window-placement.ts';

export interface MainWindowOptions {
  preloadFile: string;
  /** File with the last position of the window. */
  placementFile: string;
  /** Address within the app that the page shows first. */
  address: string;
  /** Place of a further window, instead of the last position. */
  beside?: Area;
}

const DEFAULT_SIZE = { width: 1320, height: 860 };
/** The page's own background (styles/tokens.css), so that the window does not flash before the first frame. */
const BACKGROUND = { light: '#f3f3f3', dark: '#141414' };

/** Opens the app's window, which becomes visible with its first frame. */
export function openMainWindow(options: MainWindowOptions): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const remembered = readWindowPlacement(options.placementFile, screens);
  const placement = options.beside === undefined ? remembered : { ...options.beside, is_maximized: false };
  const window = new BrowserWindow({
    ...(placement === undefined
      ? DEFAULT_SIZE
      : { x: placement.x, y: placement.y, width: placement.width, height: placement.height }),
    minWidth: 720,
    minHeight: 480,
    title: 'Vitrine',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload: options.preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  if (placement?.is_maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    writeWindowPlacement(options.placementFile, { ...window.getNormalBounds(), is_maximized: window.isMaximized() });
  });
  reloadOnceAfterCrash(window);
  const url = options.address === '/' ? APP_URL : `${APP_URL}#${options.address}`;
  window.loadURL(url).catch((error: unknown) => process.stderr.write(`The page did not load: ${String(error)}\n`));
  return window;
}

/** Brings a window to the front. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
