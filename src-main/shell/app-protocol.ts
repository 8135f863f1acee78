import { protocol } from 'electron';
import { APP_SCHEME, serveRendererFile } from './renderer-files.ts';

/**
 * Registers `vitrine://app/` as an origin. Must run before the app is ready. Without `corsEnabled`, other origins cannot read it.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built renderer at `vitrine://app/`, once the app is ready. */
export function serveApp(rendererFolder: string): void {
  protocol.handle(APP_SCHEME, (request) => serveRendererFile(rendererFolder, request));
}
