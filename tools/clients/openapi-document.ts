import swagger from '@fastify/swagger';
import fastify from 'fastify';
import type { OpenAPI3 } from 'openapi-typescript';
import type { Core } from '../../src-main/core/core.ts';
import type { Log } from '../../src-main/core/ports/log.ts';
import { mountOperations } from '../../src-main/http/mount-operations.ts';
import { apiDescription } from '../../src-main/http/openapi.ts';

/** The OpenAPI document as a server returns it at `/api/v1/openapi.json`. The routes are described, not called: no core is behind them. */
export async function openApiDocument(): Promise<OpenAPI3> {
  const server = fastify();
  await server.register(swagger, { openapi: apiDescription });
  await server.register((scope) =>
    mountOperations(scope, { core: {} as Core, log: {} as Log, temporaryFolder: '', maxFileBytes: 0 }),
  );
  await server.ready();
  return server.swagger() as unknown as OpenAPI3;
}
