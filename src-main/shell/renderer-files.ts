import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** The page that every window shows. */
export const APP_SCHEME = 'vitrine';
export const APP_ORIGIN = `${APP_SCHEME}://app`;
export const APP_URL = `${APP_ORIGIN}/`;

/** Only the app's own files run; images and media also come by signed URL from the loopback server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http://127.0.0.1:*",
  "media-src 'self' data: blob: http://127.0.0.1:*",
  "connect-src 'self'",
  "font-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** Answers a request for a file of the built renderer; anything outside its folder does not exist. */
export async function serveRendererFile(rendererFolder: string, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return reply(405, null);
  const file = await findFile(rendererFolder, request.url);
  const contentType = file === undefined ? undefined : CONTENT_TYPES[extname(file).toLowerCase()];
  if (file === undefined || contentType === undefined) return reply(404, null);
  const body = new Uint8Array(await readFile(file));
  return reply(200, request.method === 'HEAD' ? null : body, contentType);
}

function reply(status: number, body: Uint8Array<ArrayBuffer> | null, contentType = 'text/plain'): Response {
  const headers = {
    'content-type': contentType,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
  return new Response(body, { status, headers });
}

/** Returns the file of a URL with links resolved, or undefined if there is none inside the folder. */
async function findFile(rendererFolder: string, url: string): Promise<string | undefined> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== `${APP_SCHEME}:` || parsed.host !== 'app') return undefined;
  const segments = decodeSegments(parsed.pathname);
  if (segments === undefined) return undefined;
  try {
    const root = await realpath(rendererFolder);
    const file = await realpath(join(root, ...(segments.length === 0 ? ['index.html'] : segments)));
    return file.startsWith(root + sep) ? file : undefined;
  } catch (error) {
    // A missing file, a missing permission and a link loop are answered alike.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function decodeSegments(pathname: string): string[] | undefined {
  try {
    const segments = decodeURIComponent(pathname)
      .split('/')
      .filter((segment) => segment !== '');
    const isPlain = segments.every((segment) => segment !== '.' && segment !== '..' && !/[\\\0:]/.test(segment));
    return isPlain ? segments : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
