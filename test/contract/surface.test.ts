import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src-main/contract/contract.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { repository } from '../support/server.ts';
import { startTestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let api: Api;

beforeAll(async () => {
  ({ api } = await startTestApi({ finished: atEnd, rendererFolder: join(repository, 'out', 'renderer') }));
});

/** Sends a request with headers that fetch does not allow. */
function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request(`${api.baseUrl}${path}`, { method, headers }, (response) => {
      let body = '';
      response.on('data', (text: Buffer) => {
        body += text.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('loopback safety', () => {
  it.each([
    [{ Host: 'evil.example' }, 403],
    [{ Host: '127.0.0.1.evil.example:2080' }, 403],
    [{ Origin: 'http://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'http://127.0.0.1:1' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ Host: 'localhost:2080' }, 200],
  ])('%j answers %i', async (headers, status) => {
    const answer = await raw('/api/v1/datasets', headers as Record<string, string>);
    expect(answer.status).toBe(status);
    if (status === 403) expect(JSON.parse(answer.body)).toMatchObject({ detail: expect.any(String) });
  });

  it('lets links from other pages open the page, and nothing else', async () => {
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const page = await raw('/', link);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<div id="root">') });
    expect((await raw('/', { ...link, 'Sec-Fetch-Dest': 'iframe' })).status).toBe(403);
    expect((await raw('/api/v1/datasets', link)).status).toBe(403);
    expect((await raw('/api/v1/process?path=/tmp&name=a', link)).status).toBe(403);
  });

  it('changes nothing by GET without an origin', async () => {
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1 Version/15.0 Safari/605.1' };
    for (const path of ['/api/v1/process?path=/tmp&name=a', '/api/v1/ingestion/new_dataset?dataset_name=a']) {
      expect((await raw(path, browser)).status).toBe(403);
      expect((await raw(path, { ...browser, 'Sec-Fetch-Site': 'same-origin' })).status).not.toBe(403);
      expect((await raw(path, { 'User-Agent': 'curl/8' })).status).not.toBe(403);
    }
    expect((await raw('/api/v1/datasets', browser)).status).toBe(200);
  });

  it('accepts its own origin and sends no CORS headers', async () => {
    const { status, headers } = await api.call('GET', '/datasets', { headers: { Origin: api.baseUrl } });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('serves the page under a strict policy', async () => {
    const page = await fetch(api.baseUrl);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).toContain('<div id="root">');
  });
});

describe('the whole interface', () => {
  const path = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_match, name: string) => (name.startsWith('transaction') ? '1' : UNKNOWN));

  it.each(Object.entries(operations).filter(([, operation]) => operation.reply !== 'stream'))(
    '%s never answers 500, and errors have only a detail',
    async (_id, operation) => {
      const answer = await api.call(operation.method, path(operation.path), {
        headers: { 'Content-Type': 'application/json' },
      });
      expect(answer.status).not.toBe(500);
      if (answer.status >= 400) {
        expect(answer.body).toMatchObject({ detail: expect.any(String) });
        expect(answer.text).not.toMatch(/\n\s+at /);
      }
    },
  );

  it('describes every operation in OpenAPI and has a page for it', async () => {
    const { status, body } = await api.get<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    }>('/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\.1/);
    const ids = Object.values(body.paths).flatMap((methods) =>
      Object.values(methods).map((method) => method.operationId),
    );
    for (const id of Object.keys(operations)) expect(ids).toContain(id);
    const docs = await fetch(`${api.baseUrl}/api/v1/docs`);
    expect(docs.status).toBe(200);
    expect(docs.headers.get('content-type')).toContain('text/html');
  });

  it('answers compact JSON, and 404, broken JSON and broken addresses with a detail', async () => {
    const health = await api.get('/healthcheck');
    expect(health.text).toMatch(/^\{"status":"Green",/);
    expect(await api.get('/nothing-here')).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    const broken = await api.call('POST', `/tasks/${UNKNOWN}/abort`, {
      body: '{"a":',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(broken).toMatchObject({ status: 422, body: { detail: 'The body is not valid JSON' } });
    expect(await api.get('/explore/%E0%A4%A')).toMatchObject({ status: 422, body: { detail: expect.any(String) } });
  });

  it('answers oversized and invalid requests with a detail', async () => {
    const long = await raw(`/api/v1/datasets?x=${'x'.repeat(1_000_000)}`, {});
    expect(long.status).toBe(431);
    expect(JSON.parse(long.body)).toMatchObject({ detail: expect.any(String) });
    const answer = await text(connect(Number(new URL(api.baseUrl).port), '127.0.0.1').end('no request\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ detail: expect.any(String) });
  });

  it('reads the rest of a refused form, so that the answer and the next request arrive', async () => {
    const { host, port } = new URL(api.baseUrl);
    const body = `--b\r\nContent-Disposition: form-data; name="files[]"; filename="a.jpg"\r\n\r\n${'x'.repeat(8_000_000)}\r\n--b--\r\n`;
    const form = `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}`;
    const socket = connect(Number(port), '127.0.0.1').end(
      `POST /api/v1/ingestion/${UNKNOWN}/data_files/1 HTTP/1.1\r\nHost: ${host}\r\n${form}\r\n\r\n${body}` +
        `GET /api/v1/datasets HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 422', 'HTTP/1.1 200']);
  });

  it.each([
    ['/tasks?page_size=51', 422],
    ['/tasks?page_size=4', 422],
    ['/tasks?page=0', 422],
    ['/tasks?sort_by=secret', 422],
    ['/tasks?start_time_from=yesterday', 422],
    ['/tasks/filters?start_time_to=2026-13-01T00:00:00Z', 422],
    ['/tasks?start_time_from=&start_time_to=', 200],
    ['/tasks?start_time_from=2026-01-31T10:00:00.123456%2B02:00', 200],
    ['//datasets', 404],
    ["/tasks?dataset_name=' OR 1=1 --", 200],
    [`/tasks/${UNKNOWN}/abort`, 404],
    [`/tasks/${UNKNOWN}/retry`, 404],
  ])('%s answers %i', async (url, status) => {
    const method = /abort|retry/.test(url) ? 'POST' : 'GET';
    const answer = await api.call(method, url);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(answer.body).toMatchObject({ detail: expect.any(String) });
  });

  it('streams events with pings that parse', async () => {
    const controller = new AbortController();
    const response = await fetch(`${api.baseUrl}/api/v1/events`, { signal: controller.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('event: ping\ndata: {}\n\n');
    controller.abort();
  });
});
