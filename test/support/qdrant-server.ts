import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { innerProduct } from '../../src-main/infra/vectors/rows.ts';

const id = z.number().int().min(0);
const vector = z.array(z.number().finite());
const condition = z.strictObject({ has_id: z.array(id) });

/** Bodies of the requests of Qdrant 1.x that the adapter sends, as its OpenAPI document describes them; unknown keys are refused. */
const BODIES = {
  create: z.strictObject({
    vectors: z.strictObject({
      size: z.number().int().min(1).max(65_536),
      distance: z.enum(['Cosine', 'Euclid', 'Dot', 'Manhattan']),
      on_disk: z.boolean().optional(),
    }),
  }),
  upsert: z.strictObject({ points: z.array(z.strictObject({ id, vector })).min(1) }),
  delete: z.strictObject({ points: z.array(id).min(1) }),
  query: z.strictObject({
    query: vector,
    limit: z.number().int().min(1),
    params: z.strictObject({ hnsw_ef: z.number().int().min(0).optional(), exact: z.boolean().optional() }).optional(),
    filter: z.strictObject({ must: z.array(condition).optional(), must_not: z.array(condition).optional() }).optional(),
    with_payload: z.boolean().optional(),
    with_vector: z.boolean().optional(),
  }),
};

type Collection = { dim: number; points: Map<number, Float32Array> };

export interface QdrantServer {
  url: string;
  collections: Map<string, Collection>;
  /** Number of requests that were answered, by kind. */
  requests: Map<string, number>;
  close(): Promise<void>;
}

/**
 * Starts a server on a free port of the loopback interface that answers as Qdrant does, with exact searches. A request that does not
 * follow Qdrant's OpenAPI document is refused with 400, one without the key with 401.
 */
export async function startQdrant(
  key: string,
  collections = new Map<string, Collection>(),
  port = 0,
): Promise<QdrantServer> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    void answer(request, key, collections, requests).then(
      ([status, result]) => reply(response, status, result),
      (error: unknown) => reply(response, 400, String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    collections,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  key: string,
  collections: Map<string, Collection>,
  requests: Map<string, number>,
): Promise<[number, unknown]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.headers['api-key'] !== key) return [401, 'Must provide an API key'];
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, root, name = '', ...rest] = pathname.split('/');
  if (root !== 'collections') return [404, 'Not found'];
  const what = [request.method, ...rest].join(' ');
  requests.set(what, (requests.get(what) ?? 0) + 1);
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
  const found = collections.get(name);
  switch (what) {
    case 'PUT':
      if (found) return [409, `Collection \`${name}\` already exists!`];
      collections.set(name, { dim: BODIES.create.parse(body).vectors.size, points: new Map() });
      return [200, true];
    case 'DELETE':
      return [200, collections.delete(name)];
    case 'GET exists':
      return [200, { exists: found !== undefined }];
    default:
      return found ? onCollection(found, what, body) : [404, `Not found: Collection \`${name}\` doesn't exist!`];
  }
}

function onCollection({ dim, points }: Collection, what: string, body: unknown): [number, unknown] {
  switch (what) {
    case 'PUT points':
      for (const point of BODIES.upsert.parse(body).points) {
        if (point.vector.length !== dim) return [400, `Wrong input: Vector dimension error: expected dim: ${dim}`];
        points.set(point.id, Float32Array.from(point.vector));
      }
      return [200, { operation_id: 0, status: 'completed' }];
    case 'POST points delete':
      for (const one of BODIES.delete.parse(body).points) points.delete(one);
      return [200, { operation_id: 0, status: 'completed' }];
    case 'POST points query': {
      const { query, limit, filter } = BODIES.query.parse(body);
      const requested = Float32Array.from(query);
      const must = filter?.must?.map(({ has_id }) => new Set(has_id)) ?? [];
      const mustNot = filter?.must_not?.map(({ has_id }) => new Set(has_id)) ?? [];
      const scored = [...points]
        .filter(([one]) => must.every((ids) => ids.has(one)) && !mustNot.some((ids) => ids.has(one)))
        .map(([one, stored]) => ({ id: one, version: 0, score: innerProduct(requested, 0, stored, 0, dim) }))
        .sort((a, b) => b.score - a.score);
      return [200, { points: scored.slice(0, limit) }];
    }
    default:
      return [404, 'Not found'];
  }
}

function reply(response: ServerResponse, status: number, result: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(status === 200 ? { result, status: 'ok', time: 0 } : { status: { error: result }, time: 0 }),
  );
}
