import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import { LONG_BODY_BYTES } from '../contract/operation.ts';
import { MAX_COVERS_LENGTH } from '../contract/operations/media.ts';
import type { Core, MetricsSource } from '../core/core.ts';
import type { Log } from '../core/ports/log.ts';
import { allowedMethods } from './allowed-methods.ts';
import { requirePrincipal } from './authenticate.ts';
import { BODY_PATIENCE, type BodyPatience, watchBodies } from './bodies.ts';
import { canonicalUrl } from './canonical-url.ts';
import { allowCrossOrigin } from './cross-origin.ts';
import { sendError } from './error-reply.ts';
import { guard } from './guard.ts';
import { drain, listen } from './listen.ts';
import { serveMetrics } from './metrics.ts';
import { mountOperations } from './mount-operations.ts';
import { LOOPBACK, type Network } from './network.ts';
import { nameRequests, requestIdOf } from './request-ids.ts';
import { addSecurityHeaders, pagePolicy } from './security-headers.ts';
import { serveDescription } from './serve-description.ts';
import { answerUnreadable } from './unreadable-request.ts';

const FILE_LIMIT_BYTES = 64 * 1024 ** 3;
const FILES_PER_REQUEST = 10_000;

/** Maximum time to receive the request line and headers. */
const HEADERS_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 4096;
/** Time in which running requests may finish when the server closes. Service managers wait longer before they kill a program. */
const DRAIN_MS = 10_000;

export interface HttpServer {
  /** Address for programs on this machine, such as `http://127.0.0.1:2080`. */
  baseUrl: string;
  /** Address to show to people on other machines. */
  shownUrl: string;
  close(): Promise<void>;
}

export interface HttpOptions {
  core: Core;
  log: Log;
  /** 0 picks a free port. */
  port: number;
  temporaryFolder: string;
  /** The built renderer, served at `/`; null serves only the API. */
  rendererFolder: string | null;
  /** Default: this machine only. */
  network?: Network;
  /** Returns the origins of other web pages that may call, from the current setting (default: none). */
  allowedOrigins?: () => readonly string[];
  /** Returns the origins of web pages that may show the page in a frame, from the current setting (default: none). */
  embedOrigins?: () => readonly string[];
  /** Amounts for monitors (default: no metrics). */
  metrics?: MetricsSource;
  /** Time in which running requests may finish when the server closes; default {@link DRAIN_MS}. */
  drainMs?: number;
  /** Tests use shorter times. */
  bodyPatience?: BodyPatience;
}

/** Serves the contract. @throws AppError `unavailable` when the port is taken. */
export async function startHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { log } = options;
  const network = options.network ?? LOOPBACK;
  const allowedOrigins = options.allowedOrigins ?? (() => []);
  const embedOrigins = options.embedOrigins ?? (() => []);
  const server = fastify({
    ...(network.tls && { https: network.tls }),
    trustProxy: network.trustProxy,
    bodyLimit: LONG_BODY_BYTES,
    rewriteUrl: ({ url = '/' }) => canonicalUrl(url),
    // Closing waits for running requests; see drain.
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    // Operations validate their input by the contract. Without these, Fastify loads its own compilers at start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_COVERS_LENGTH },
    frameworkErrors: (error, _request, reply) => sendError(reply, error, log),
    clientErrorHandler: answerUnreadable,
  });
  server.setErrorHandler((error, _request, reply) => sendError(reply, error, log));
  server.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(request.url);
    if (allowed.length === 0) return sendError(reply, new AppError('not_found', message('address_unknown')), log);
    reply.header('Allow', allowed.join(', '));
    const reason = message('method_not_allowed', { allowed: allowed.join(' and '), method: request.method });
    return sendError(reply, new AppError('method_not_allowed', reason), log);
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  server.server.headersTimeout = HEADERS_TIMEOUT_MS;
  addSecurityHeaders(server);
  nameRequests(server, log);
  if (options.metrics) serveMetrics(server, options.metrics);
  guard(server, { network, allowedOrigins, embedOrigins });
  await allowCrossOrigin(server, allowedOrigins);
  watchBodies(server, options.bodyPatience ?? BODY_PATIENCE);
  await server.register(cookie);
  server.decorateRequest('principal');
  readBodies(server);
  await server.register(multipart, {
    preservePath: true,
    limits: {
      fileSize: FILE_LIMIT_BYTES,
      files: FILES_PER_REQUEST,
      parts: FILES_PER_REQUEST + 1000,
      fieldSize: LONG_BODY_BYTES,
    },
  });
  await server.register(formbody);
  serveDescription(server, requirePrincipal(options.core));
  await server.register((scope) => mountOperations(scope, { ...options, maxFileBytes: FILE_LIMIT_BYTES }));
  if (options.rendererFolder !== null) await servePage(server, options.rendererFolder, embedOrigins);

  const { local, shown } = await listen(server, network, options.port);
  return { baseUrl: local, shownUrl: shown, close: () => drain(server, options.drainMs ?? DRAIN_MS) };
}

/** Stands in for a compiler of JSON schemas: no route has one. */
function noCompiler(): () => never {
  return () => {
    throw new Error('A route has a JSON schema');
  };
}

/** Clients send `application/json` with an empty body, and other types with no body at all: neither is an error. */
function readBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, String(body), done);
  });
  server.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    payload.once('end', () => done(null, undefined));
    payload.once('error', done);
  });
}

async function servePage(server: FastifyInstance, root: string, embedOrigins: () => readonly string[]): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('Content-Security-Policy', pagePolicy(embedOrigins()));
      reply.header(
        'Cache-Control',
        /\.html(\.br|\.gz)?$/.test(path) ? 'no-cache' : 'public, max-age=31536000, immutable',
      );
    },
  });
}
