import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../clients/typescript/operations.ts';
import { buildRequest } from '../../../clients/typescript/request.ts';
import { type contract, operations } from '../../../src-main/contract/contract.ts';
import { openApiDocument } from '../../../tools/clients/openapi-document.ts';
import { pythonRoutes, typeScriptRoutes } from '../../../tools/clients/route-tables.ts';
import { routesOf } from '../../../tools/clients/routes.ts';

const clients = resolve(import.meta.dirname, '..', '..', '..', 'clients');
const read = (...path: string[]) => readFileSync(join(clients, ...path), 'utf8');

describe('the tables of routes', () => {
  it('are as npm run generate:clients writes them', async () => {
    const routes = routesOf(await openApiDocument());
    expect(read('typescript', 'operations.ts')).toBe(typeScriptRoutes(routes));
    expect(read('python', 'src', 'vitrine', 'operations.json')).toBe(pythonRoutes(routes));
  });

  it('have every operation except redirects and streams', () => {
    const called = Object.entries(operations).filter(([, { reply }]) => reply !== 'redirect' && reply !== 'stream');
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(called.map(([id]) => id).toSorted());
  });

  it('say where fields go as the contract does', () => {
    for (const [id, { body, query, path, method }] of Object.entries(operations)) {
      const route = OPERATIONS[id as keyof typeof OPERATIONS];
      if (route === undefined) continue;
      expect([route.method, route.path], id).toEqual([method, path]);
      if (route.body !== undefined && operations[id as keyof typeof contract].jsonFile === undefined)
        expect(route.body, id).toBe(body);
      if (route.body !== undefined) expect(route.query ?? [], id).toEqual(query ?? []);
    }
  });
});

describe('a request', () => {
  const datasetId = 'a b/c';

  it('escapes path and query, leaves out undefined fields, and sends lists as JSON text', () => {
    const { list_items } = OPERATIONS;
    const { method, path, body } = buildRequest(list_items, {
      dataset_id: datasetId,
      vql: [{ a: '&' }],
      caption: undefined,
    });
    expect({ method, path, body }).toEqual({
      method: 'GET',
      path: '/explore/a%20b%2Fc/items?vql=%5B%7B%22a%22%3A%22%26%22%7D%5D',
      body: undefined,
    });
  });

  it('moves a long query into a body where the operation allows it', () => {
    const vql = [{ labels: { op: 'one_of', value: Array.from({ length: 1000 }, (_, at) => `label ${at}`) } }];
    const { method, path, body } = buildRequest(OPERATIONS.list_items, { dataset_id: 'x', vql });
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/explore/x/items', body: JSON.stringify({ vql }) });
  });

  it('divides fields between query and body', () => {
    const input = { dataset_id: 'x', export_format: 'coco', media_selection: [] };
    expect(buildRequest(OPERATIONS.export_entities_async, input)).toEqual({
      method: 'POST',
      path: '/dataset/x/export_entities_async?export_format=coco',
      body: '{"media_selection":[]}',
    });
  });
});
