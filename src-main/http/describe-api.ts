import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance } from 'fastify';
import { operations } from '../contract/contract.ts';
import type { OperationSpec } from '../contract/operation.ts';
import { apiDescription, routeSchema } from './openapi.ts';
import { routeOf } from './route-path.ts';

/** Address of the interactive page. */
export const API_PAGE = '/api/v1/docs';

/** Creates a server that describes all operations and has the interactive page. It does not listen, and no core is behind its routes. */
export async function describeApi(): Promise<FastifyInstance> {
  const server = fastify();
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  await server.register(swagger, { openapi: apiDescription });
  await server.register(swaggerUi, { routePrefix: API_PAGE, staticCSP: true });
  await server.register(async (scope) => {
    for (const [id, operation] of Object.entries<OperationSpec>(operations)) {
      describe(scope, id, operation);
      // OpenAPI wants an id for each method of an address.
      if (operation.alsoByPost) describe(scope, `${id}_by_post`, { ...operation, method: 'POST', body: 'json' });
    }
  });
  await server.ready();
  return server;
}

function describe(server: FastifyInstance, operationId: string, operation: OperationSpec): void {
  server.route({
    method: operation.method,
    url: routeOf(operation.path),
    schema: routeSchema(operationId, operation),
    exposeHeadRoute: false,
    handler: (_request, reply) => reply.callNotFound(),
  });
}
