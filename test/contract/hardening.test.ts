import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';

const ELSEWHERE = 'https://tools.example.org';
let test: TestApi;
let api: Api;

beforeAll(async () => {
  test = await startTestApi({ finished: atEnd, bodyPatience: { windowMs: 300, leastBytes: 100 } });
  ({ api } = test);
});

describe('every answer', () => {
  it.each(['/api/v1/healthcheck', '/api/v1/nothing', '/api/v1/docs', '/api/v1/thumbnail/x/y'])(
    '%s restricts browsers by headers',
    async (path) => {
      const { headers } = await fetch(`${api.baseUrl}${path}`, { redirect: 'manual' });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/default-src/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe-eval');
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );
});

describe('a page of another origin', () => {
  const preflight = () =>
    fetch(`${api.baseUrl}/api/v1/tasks`, {
      method: 'OPTIONS',
      headers: { Origin: ELSEWHERE, 'Access-Control-Request-Method': 'GET' },
    });
  const ask = (origin: string) => api.call('GET', '/tasks', { headers: { Origin: origin } });

  it('is refused unless a setting lists its origin', async () => {
    expect((await ask(ELSEWHERE)).status).toBe(403);
    expect((await preflight()).headers.get('access-control-allow-origin')).toBeNull();
    await test.call('change_setting', { key: 'ALLOWED_ORIGINS', value: [ELSEWHERE, 'http://127.0.0.1:9'] });
    const answered = await ask(ELSEWHERE);
    expect(answered.status).toBe(200);
    expect(answered.headers.get('access-control-allow-origin')).toBe(ELSEWHERE);
    expect(answered.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answered.headers.get('vary')).toContain('Origin');
    expect((await preflight()).status).toBe(204);
    for (const origin of ['https://tools.example.org.evil.example', 'http://tools.example.org', 'null', '*']) {
      const refused = await ask(origin);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    }
    await api.call('DELETE', '/settings/ALLOWED_ORIGINS');
    expect((await ask(ELSEWHERE)).status).toBe(403);
  });
});

describe('a refused body', () => {
  let patient: TestApi;

  // With the usual patience: the rest may take longer than the others wait, on a busy computer.
  beforeAll(async () => {
    patient = await startTestApi({ finished: atEnd });
  });

  /** Sends the head of a large body, waits for the answer, and sends the rest. Resolves to all that came back. */
  const send = async (type: string, nextRequest: string) => {
    const socket = connect(Number(new URL(patient.api.baseUrl).port), '127.0.0.1');
    const head = `POST /api/v1/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n`;
    const rest = 'x'.repeat(8_000_000);
    socket.write(`${head}Content-Length: ${rest.length + 3}\r\n\r\n--x`);
    const [answer] = await once(socket, 'data');
    socket.write(rest + nextRequest);
    return String(answer) + (await text(socket).catch((error: NodeJS.ErrnoException) => error.code));
  };

  it.each([
    ['application/json', 413],
    ['application/x-www-form-urlencoded', 413],
    ['multipart/form-data; boundary=x', 422],
  ])('of %s is received to its end, so that a client which is still sending reads the answer', async (type, status) => {
    const next = 'GET /api/v1/healthcheck HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
    expect(await send(type, next)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*HTTP/1.1 200 `, 's'));
  });

  it('that does not end is cut off', async () => {
    const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
    socket.write('POST /api/v1/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 1000000000000\r\n\r\n');
    const more = setInterval(() => socket.write('x'.repeat(1000)), 20);
    const received = await text(socket.on('error', () => undefined)).catch(() => 'cut off');
    clearInterval(more);
    expect(received).toMatch(/^HTTP\/1.1 413 |^cut off$/);
  });
});

describe('a slow body', () => {
  /** Sends a request with less data than announced. Resolves when the server closes the connection. */
  const send = async (path: string, type: string) => {
    const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
    socket.write(
      `POST /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n--x`,
    );
    return text(socket).catch((error: NodeJS.ErrnoException) => error.code);
  };

  it.each([
    ['/dataset', 'application/json'],
    ['/dataset', 'multipart/form-data; boundary=x'],
  ])('to %s as %s is cut off', async (path, type) => {
    expect(await send(path, type)).toBeDefined();
    expect((await api.get('/healthcheck')).status).toBe(200);
  });
});
