import type { FastifyInstance } from 'fastify';

/** Policy of the page, without who may frame it: scripts and styles come from this server only. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self'; " +
  "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors";

const NOBODY = "'none'";

/** Policy of the page, which only pages of the given origins may show in a frame. */
export function pagePolicy(embedOrigins: readonly string[]): string {
  return `${PAGE_POLICY} ${embedOrigins.length === 0 ? NOBODY : embedOrigins.join(' ')}`;
}

/** Policy of all other answers: an answer that is opened as a document runs nothing, whatever was uploaded. */
const DATA_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
const ONE_YEAR_S = 365 * 24 * 3600;

/** Adds security headers to every answer; an answer that sets its own policy keeps it. */
export function addSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply) => {
    const policy = String(reply.getHeader('Content-Security-Policy') ?? DATA_POLICY);
    reply.headers(HEADERS);
    // The older header knows no origins. Browsers that know `frame-ancestors` ignore it anyway.
    if (policy.includes('frame-ancestors http')) reply.removeHeader('X-Frame-Options');
    if (!reply.hasHeader('Content-Security-Policy')) reply.header('Content-Security-Policy', DATA_POLICY);
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
    if (request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${ONE_YEAR_S}`);
  });
}
