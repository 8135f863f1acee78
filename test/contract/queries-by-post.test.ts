import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

let api: Api;
let dataset: string;

beforeAll(async () => {
  ({ api } = await startTestApi({ finished: atEnd }));
  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3, 4]);
  dataset = await api.createFromFolder('posted', folder);
  await api.waitFor(dataset, 'READY');
});

const post = (path: string, body: unknown) => api.call('POST', path, json(body));

describe('a query that is sent as a body', () => {
  it.each(['', '/items', '/facets', '/exploration_metadata'])(
    'to /explore/{dataset_id}%s gets the same answer as the query in the address',
    async (path) => {
      const vql = JSON.stringify([{ files: { op: 'contains', value: ['1'] } }]);
      const requested = await api.get(`/explore/${dataset}${path}?entity_type=IMAGES&vql=${encodeURIComponent(vql)}`);
      expect(requested.status).toBe(200);
      const posted = await post(`/explore/${dataset}${path}`, { entity_type: 'IMAGES', vql });
      expect(posted.status).toBe(200);
      const unsigned = (text: string) => text.replaceAll(/\?[^"]*/g, '');
      expect(unsigned(posted.text)).toBe(unsigned(requested.text));
    },
  );

  it('accepts arrays, and may be longer than an address', async () => {
    const names = Array.from({ length: 2000 }, (_, at) => `no-such-file-${at}.png`);
    const { body, status } = await post(`/explore/${dataset}/items`, {
      vql: [{ files: { op: 'one_of', value: [...names] } }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 0 });
  });

  it('starts an export', async () => {
    const { status, body } = await post(`/dataset/${dataset}/export_context_async`, {
      export_format: 'json',
      vql: [{ width: { op: 'range', from: 1 } }],
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  });
});

describe('a query', () => {
  it('has at most 200 filters', async () => {
    const filters = (count: number) => Array.from({ length: count }, () => ({ width: { op: 'range', from: 1 } }));
    expect((await post(`/explore/${dataset}`, { vql: filters(200) })).status).toBe(200);
    const refused = await post(`/explore/${dataset}`, { vql: filters(201) });
    expect(refused).toMatchObject({ status: 422, body: { detail: 'vql: expected at most 200 filters' } });
  });

  it('has at most 256 words in all of its texts', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    const text = (value: string) => ({ text: { op: 'fts', value } });
    expect(
      (await post(`/explore/${dataset}`, { vql: [text(words(100)), text(words(100)), text(words(56))] })).status,
    ).toBe(200);
    const refused = await post(`/explore/${dataset}`, { vql: [text(words(100)), text(words(100)), text(words(57))] });
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('256 words') } });
    expect((await post(`/explore/${dataset}`, { caption: words(257) })).status).toBe(422);
  });
});

it.each(['/datasets', '/dataset/{id}', '/explore/{id}/items'])(
  'HEAD %s answers with the status and the headers of GET',
  async (path) => {
    const address = path.replace('{id}', dataset);
    const head = await fetch(`${api.baseUrl}/api/v1${address}`, { method: 'HEAD' });
    const got = await api.get(address);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'content-security-policy', 'cache-control']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  },
);

describe('an unsupported method', () => {
  it.each([
    ['DELETE', '/healthcheck', 'GET, HEAD'],
    ['PUT', '/datasets', 'GET, HEAD'],
    ['PATCH', '/explore/{id}', 'GET, HEAD, POST'],
    ['GET', '/dataset/{id}/reindex', 'POST'],
  ])('%s %s answers 405 and lists the supported methods', async (method, path, allowed) => {
    const answer = await api.call(method, path.replace('{id}', dataset));
    expect(answer).toMatchObject({ status: 405, body: { detail: expect.any(String), code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  it('answers 404 for an unknown address', async () => {
    expect((await api.call('PATCH', '/nothing-here')).status).toBe(404);
  });
});

it('refuses a form for an operation that expects JSON', async () => {
  const form = { body: 'name=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  const refused = await api.call('POST', `/dataset/${dataset}/tags`, form);
  expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('JSON') } });
  expect((await api.call('POST', `/dataset/${dataset}/tags`, json({ name: 'x' }))).status).toBe(200);
});

it('treats an empty sort order as none', async () => {
  expect((await api.get(`/explore/${dataset}/items?sort_by=&sort_order=`)).status).toBe(200);
  expect((await api.get('/tasks?sort_by=&sort_order=&page=&page_size=')).status).toBe(200);
});
