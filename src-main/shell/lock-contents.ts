import { type App, type Event, type Session, shell, type WebContents } from 'electron';
import { APP_ORIGIN, APP_URL } from './renderer-files.ts';

/**
 * Since Electron 43, Chromium asks before a page may load from this computer's own addresses, and our images come from the loopback
 * server. The first name is the current one, the second that of older versions.
 */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['loopback-network', 'local-network-access']);

/** Keeps every page that ever exists where it is: it navigates nowhere, opens no window, embeds nothing and is granted nothing. */
export function lockAllContents(app: App, baseUrl: string): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents, baseUrl));
}

function lockContents(contents: WebContents, baseUrl: string): void {
  contents.on('will-navigate', barOtherPages);
  contents.on('will-frame-navigate', barOtherPages);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // Another place in the app, our own server's pages (an original, the API's documentation) and links to the web (a licence, a model's page) open in the person's
    // browser; everything else opens nowhere.
    if (isAppUrl(url)) void shell.openExternal(`${baseUrl}/${new URL(url).hash}`);
    else if (url.startsWith(`${baseUrl}/`) || url.startsWith('https://')) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** Denies every permission but loading from this computer, which the page's policy narrows to images and media. */
export function lockPermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, callback) => {
    callback(ALLOWED_PERMISSIONS.has(permission) && isAppUrl(contents.getURL()));
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => ALLOWED_PERMISSIONS.has(permission) && isAppUrl(origin),
  );
  session.setDevicePermissionHandler(() => false);
}

/** A page may reload itself. Every other way on, of a window or of a frame in it, is barred. */
function barOtherPages(event: Event<{ url: string; isMainFrame: boolean }>): void {
  if (!event.isMainFrame || !isAppPage(event.url)) event.preventDefault();
}

function isAppPage(url: string): boolean {
  return url === APP_URL || url.startsWith(`${APP_URL}#`);
}

/** Whether a URL or an origin, with or without its final slash, is that of the app's page. */
export function isAppUrl(url: string): boolean {
  return url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`);
}
