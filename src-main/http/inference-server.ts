import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../contract/errors.ts';
import { asWritten, message } from '../contract/messages.ts';
import {
  type InferenceRequest,
  inferenceRequest,
  MAX_INFERENCE_BYTES,
  MAX_INFERENCE_IMAGES,
} from '../contract/schemas/inference.ts';
import type { InferenceHost } from '../core/ports/inference-host.ts';
import type { Log } from '../core/ports/log.ts';
import { hasBearer } from './bearer.ts';
import { BODY_PATIENCE, watchBodies } from './bodies.ts';
import { sendError } from './error-reply.ts';
import { drain, listen } from './listen.ts';
import type { Network } from './network.ts';
import { nameRequests, requestIdOf } from './request-ids.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { answerUnreadable } from './unreadable-request.ts';

/** Maximum size of the JSON part of a request, which may hold label lists. */
const MAX_JSON_BYTES = 8 * 2 ** 20;
/** Time in which running requests may finish when the host stops. */
const DRAIN_MS = 60_000;
/** Maximum number of requests in progress, whose images are in memory: those of each process, and some that wait. */
const REQUESTS_PER_PROCESS = 4;

export interface InferenceServerOptions {
  host: InferenceHost;
  /** Callers send it as bearer token. */
  secret: string;
  processes: number;
  version: string;
  network: Network;
  /** 0 picks a free port. */
  port: number;
  log: Log;
}

/** Serves an inference host: `GET /models`, `POST /infer`, and the health checks of the server. */
export async function startInferenceServer(
  options: InferenceServerOptions,
): Promise<{ shownUrl: string; close(): Promise<void> }> {
  const { host, secret, network, log, version } = options;
  const server = fastify({
    ...(network.tls && { https: network.tls }),
    trustProxy: network.trustProxy,
    bodyLimit: MAX_JSON_BYTES,
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    frameworkErrors: (error, _request, reply) => sendError(reply, error, log),
    clientErrorHandler: answerUnreadable,
  });
  server.setErrorHandler((error, _request, reply) => sendError(reply, error, log));
  server.setNotFoundHandler((_request, reply) =>
    sendError(reply, new AppError('not_found', message('address_unknown')), log),
  );
  addSecurityHeaders(server);
  nameRequests(server, log);
  watchBodies(server, BODY_PATIENCE);
  await server.register(multipart, {
    limits: { fileSize: MAX_INFERENCE_BYTES, files: MAX_INFERENCE_IMAGES, fields: 1, fieldSize: MAX_JSON_BYTES },
  });
  let isDraining = false;
  // A connection that stays open would delay the end.
  server.addHook('onSend', async (_request, reply) => {
    if (isDraining) reply.header('Connection', 'close');
  });
  server.get('/api/v1/healthcheck', () => ({ status: 'Green', version }));
  server.get('/api/v1/readiness', () => {
    if (isDraining) throw new AppError('unavailable', message('inference_draining'));
    return { status: 'ready' };
  });
  await server.register(async (scope) => serveInference(scope, host, secret, options.processes * REQUESTS_PER_PROCESS));
  const { shown } = await listen(server, network, options.port);
  return {
    shownUrl: shown,
    close: () => {
      isDraining = true;
      return drain(server, DRAIN_MS);
    },
  };
}

function serveInference(server: FastifyInstance, host: InferenceHost, secret: string, maxRequests: number): void {
  server.addHook('onRequest', async (request) => {
    if (!hasBearer(request, secret)) throw new AppError('unauthenticated', message('inference_secret_wrong'));
  });
  server.get('/models', () => host.describe());
  let nRequests = 0;
  server.post('/infer', {
    // Before the body is read.
    onRequest: async (_request, reply) => {
      if (nRequests >= maxRequests) {
        reply.header('Retry-After', 1);
        throw new AppError('unavailable', message('inference_busy', { requests: nRequests }));
      }
      nRequests += 1;
      reply.raw.once('close', () => {
        nRequests -= 1;
      });
    },
    handler: async (request, reply) => {
      const stopped = new AbortController();
      reply.raw.once('close', () => stopped.abort());
      const { body, files } = request.isMultipart() ? await readForm(request) : { body: request.body, files: [] };
      const read = inferenceRequest.safeParse(body);
      if (!read.success) {
        const [issue] = read.error.issues;
        throw invalidField(issue?.path.join('.') || 'request', asWritten(issue?.message ?? ''));
      }
      assertFiles(read.data, files.length);
      return host.infer(read.data, files, stopped.signal);
    },
  });
}

/** Reads the field `request` and all files into memory. @throws AppError `too_large`, `invalid_input`. */
async function readForm(request: FastifyRequest): Promise<{ body: unknown; files: Uint8Array[] }> {
  const files: Uint8Array[] = [];
  let text: string | undefined;
  let bytes = 0;
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw new AppError('too_large', message('request_too_large'));
      if (part.fieldname === 'request') text = String(part.value);
      continue;
    }
    const content = await part.toBuffer();
    bytes += content.length;
    if (bytes > MAX_INFERENCE_BYTES) throw new AppError('too_large', message('request_too_large'));
    files.push(content);
  }
  if (text === undefined) throw new AppError('invalid_input', message('inference_request_missing'));
  try {
    return { body: JSON.parse(text), files };
  } catch {
    throw new AppError('invalid_input', message('body_not_json'));
  }
}

function assertFiles({ images }: InferenceRequest, received: number): void {
  const requested = images.filter(({ url }) => url === undefined).length;
  if (requested !== received) {
    throw new AppError('invalid_input', message('inference_image_count', { requested, received }));
  }
}
