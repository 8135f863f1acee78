import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../../src-main/http/server.ts';
import { createLog } from '../../src-main/infra/log.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { silentLog } from '../support/silent-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi, type TestApi } from '../support/test-api.ts';
import { createTestCore } from '../support/test-core.ts';

let test: TestApi;

beforeAll(async () => {
  test = await startTestApi({ finished: atEnd });
});

describe('readiness', () => {
  it('says that the service can work', async () => {
    const answer = await test.api.get('/readiness');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ready' }]);
  });
});

describe('metrics', () => {
  const read = (headers: Record<string, string> = {}) => fetch(`${test.api.baseUrl}/metrics`, { headers });

  it('do not exist without a key', async () => {
    expect((await read()).status).toBe(404);
    expect((await read({ Authorization: 'Bearer ' })).status).toBe(404);
  });

  it('are sent for the key only, and count requests, tasks and datasets', async () => {
    await test.call('change_setting', { key: 'METRICS_KEY', value: 'a key for monitors' });
    onTestFinished(async () => void (await test.api.call('DELETE', '/settings/METRICS_KEY')));
    expect((await read()).status).toBe(401);
    expect((await read({ Authorization: 'Bearer another' })).status).toBe(401);
    await test.api.get('/readiness');
    await test.api.get('/dataset/00000000-0000-4000-8000-000000000000');
    const answer = await read({ Authorization: 'Bearer a key for monitors' });
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const lines = (await answer.text()).split('\n');
    expect(lines).toContain(
      'vitrine_http_request_duration_seconds_count{operation="readiness",method="GET",status="200"} 1',
    );
    expect(lines.some((line) => /^vitrine_http_request_duration_seconds_count\{.*status="404"\} 1$/.test(line))).toBe(
      true,
    );
    expect(lines).toContain('vitrine_compute_process_deaths 0');
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true);
    const settings = await test.api.get('/settings');
    expect(settings.text).not.toContain('a key for monitors');
  });
});

describe('ids of requests', () => {
  it('are those of the caller if they are short and plain, and stand in the log', async () => {
    const folder = await temporaryFolder();
    const log = createLog(folder);
    log.setLevel('DEBUG');
    const { core } = await createTestCore({ log });
    const http = await startHttpServer({
      core,
      log,
      port: 0,
      temporaryFolder: core.temporaryFolder,
      rendererFolder: null,
    });
    onTestFinished(() => http.close());
    const api = new Api(http.baseUrl);
    const idOf = async (id: string) =>
      (await api.call('GET', '/healthcheck', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    expect(await idOf('from-a-proxy.1')).toBe('from-a-proxy.1');
    expect(await idOf('{"two": "words"}')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await api.get('/healthcheck')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const entries = (await readFile(join(folder, 'logs', 'vitrine.log'), 'utf8')).trim().split('\n');
    expect(entries.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ request_id: 'from-a-proxy.1', operation_id: 'healthcheck', status: 200 }),
    );
  });
});

describe('a server that closes', () => {
  it('lets a running request finish, and ends streams of events', async () => {
    const { core } = await createTestCore();
    const log = silentLog;
    const http = await startHttpServer({
      core,
      log,
      port: 0,
      temporaryFolder: core.temporaryFolder,
      rendererFolder: null,
    });
    const events = await fetch(`${http.baseUrl}/api/v1/events`);
    const upload = request(`${http.baseUrl}/api/v1/dataset/00000000-0000-4000-8000-000000000000/presence`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 2 },
    });
    const answered = new Promise<number | undefined>((found, failed) => {
      upload.once('response', (response) => found(response.resume().statusCode));
      upload.once('error', failed);
    });
    upload.write('{');
    await answersOnceMore(http.baseUrl);
    const closed = http.close();
    await nextTurn();
    upload.end('}');
    expect(await answered).toBe(404);
    expect(await events.text()).toContain('event: ping');
    await closed;
    await expect(fetch(`${http.baseUrl}/api/v1/healthcheck`)).rejects.toThrow();
  });

  it('ends a request that does not finish in time', async () => {
    const { core } = await createTestCore();
    const options = {
      core,
      log: silentLog,
      port: 0,
      temporaryFolder: core.temporaryFolder,
      rendererFolder: null,
      drainMs: 50,
    };
    const http = await startHttpServer(options);
    const stuck = request(`${http.baseUrl}/api/v1/dataset`, { method: 'POST', headers: { 'Content-Length': 100 } });
    const failed = new Promise((found) => stuck.once('error', found));
    stuck.write('{');
    await answersOnceMore(http.baseUrl);
    await http.close();
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
  });
});

/** Resolves when the server has handled a request that was sent after another one. */
async function answersOnceMore(baseUrl: string): Promise<void> {
  await (await fetch(`${baseUrl}/api/v1/healthcheck`)).text();
}
