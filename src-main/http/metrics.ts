import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { MetricsSource } from '../core/core.ts';
import { hasBearer } from './bearer.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** Not below `/api/v1`: monitors look here, and it is not part of the interface. */
const PATH = '/metrics';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the operation that the route answers. */
    operationId?: string;
  }
}

/**
 * Serves metrics in Prometheus' text format to callers that send the key of the setting `METRICS_KEY` as bearer token. While the setting is
 * empty the address does not exist, nothing is measured, and the library is not loaded.
 */
export function serveMetrics(server: FastifyInstance, source: MetricsSource): void {
  let loading: Promise<MetricsRegistry> | undefined;
  let registry: MetricsRegistry | undefined;
  const load = async () => {
    loading ??= import('./metrics-registry.ts').then(({ createMetricsRegistry }) => createMetricsRegistry(source));
    registry = await loading;
    return registry;
  };
  server.addHook('onResponse', async ({ routeOptions, method }, { statusCode, elapsedTime }) => {
    const { operationId } = routeOptions.config;
    if (operationId === undefined || source.key() === '') return;
    (registry ?? (await load())).observe({ operation: operationId, method, status: statusCode, ms: elapsedTime });
  });
  server.get(PATH, async (request, reply) => {
    assertKey(request, source.key());
    const { contentType, text } = await load();
    return reply
      .header('Cache-Control', 'no-store')
      .type(contentType)
      .send(await text());
  });
  server.addHook('onClose', () => registry?.close());
}

/** @throws AppError `not_found` without a configured key, `unauthenticated` for another one. */
function assertKey(request: FastifyRequest, key: string): void {
  if (key === '') throw new AppError('not_found', message('address_unknown'));
  if (!hasBearer(request, key)) throw new AppError('unauthenticated', message('metrics_key_wrong'));
}
