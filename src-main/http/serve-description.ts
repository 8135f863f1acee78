import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

/** Headers of the description that an answer keeps. Its length and connection are those of the answer itself. */
const KEPT_HEADERS = ['content-type', 'content-security-policy', 'location', 'cache-control', 'etag', 'last-modified'];

/**
 * Serves the OpenAPI document and the interactive page. They are created on the first request: their packages would take a tenth of the CPU
 * time of a start.
 */
export function serveDescription(server: FastifyInstance, onRequest: RouteShorthandOptions['onRequest']): void {
  let describing: Promise<FastifyInstance> | undefined;
  const description = () => {
    describing ??= import('./describe-api.ts').then(({ describeApi }) => describeApi());
    return describing;
  };
  const options = onRequest === undefined ? {} : { onRequest };
  server.get('/api/v1/openapi.json', options, async () => (await description()).swagger());
  for (const url of ['/api/v1/docs', '/api/v1/docs/*']) {
    server.get(url, options, async (request, reply) => {
      const { statusCode, headers, rawPayload } = await (await description()).inject(request.url);
      for (const name of KEPT_HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name]);
      return reply.code(statusCode).send(rawPayload);
    });
  }
  server.addHook('onClose', async () => (await describing)?.close());
}
