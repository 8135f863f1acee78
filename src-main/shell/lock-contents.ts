import { type App, type Event, type Session, shell, type WebContents } from 'electron';
import { APP_ORIGIN, APP_URL } from './renderer-files.ts';

/**
 * Since Electron 43, Chromium asks for permission before a page may load from loopback addresses, where our images come from.
 * The first name is the current one, the second that of older versions.
 */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['loopback-network', 'local-network-access']);

/** Denies navigation, new windows and embedded pages to every page. @param serverUrl Address of our server; undefined until it answers. */
export function lockAllContents(app: App, serverUrl: () => string | undefined): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents, serverUrl));
}

function lockContents(contents: WebContents, serverUrl: () => string | undefined): void {
  contents.on('will-navigate', barOtherPages);
  contents.on('will-frame-navigate', barOtherPages);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // Pages of our own server (an original, the API documentation) and web links (a licence, a model's page) open in the user's browser;
    // everything else is denied.
    const baseUrl = serverUrl();
    if (baseUrl !== undefined && isAppUrl(url)) void shell.openExternal(serverPage(baseUrl, url));
    else if ((baseUrl !== undefined && url.startsWith(`${baseUrl}/`)) || url.startsWith('https://'))
      void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** Denies every permission except loading from this computer, which the page's policy restricts to images and media. */
export function lockPermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, callback) => {
    callback(ALLOWED_PERMISSIONS.has(permission) && isAppUrl(contents.getURL()));
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => ALLOWED_PERMISSIONS.has(permission) && isAppUrl(origin),
  );
  session.setDevicePermissionHandler(() => false);
}

/** The address at our server of a page of the app's scheme. */
function serverPage(baseUrl: string, url: string): string {
  const { pathname, hash } = new URL(url);
  return `${baseUrl}${pathname}${hash}`;
}

/** A page may reload itself. Every other navigation of a window or frame is denied. */
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
