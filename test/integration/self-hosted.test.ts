import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { expect, it, onTestFinished } from 'vitest';
import { callerOver } from '../../src-main/commands/caller.ts';
import { LOOPBACK } from '../../src-main/http/network.ts';
import { startHttpServer } from '../../src-main/http/server.ts';
import { addAccount, json, PASSWORD, WITH_ACCOUNTS } from '../support/accounts.ts';
import { Api } from '../support/api.ts';
import { runServer, startServer } from '../support/server.ts';
import { silentLog } from '../support/silent-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore } from '../support/test-core.ts';

it('prints how to create the first administrator, and answers nothing before', async () => {
  const data = await temporaryFolder();
  const server = await startServer(data, WITH_ACCOUNTS);
  onTestFinished(async () => {
    await server.stop();
  });
  const api = new Api(server.baseUrl);
  expect((await api.get('/datasets')).status).toBe(401);
  expect((await api.get('/login/options')).body).toMatchObject({ setup_needed: true });
  expect((await fetch(server.baseUrl)).status).toBe(200);

  // A command reads from the data folder how to call the server.
  expect((await stat(join(data, 'address'))).mode & 0o077).toBe(0);
  const check = await runServer(data, WITH_ACCOUNTS, ['check']);
  expect(check, check.stderr).toMatchObject({ code: 0 });

  await server.stop();
  const { stdout } = await server.ended;
  const [, token = ''] =
    new RegExp(`^Create the first administrator: ${server.baseUrl}/#/setup\\?token=([\\w-]{43})$`, 'm').exec(stdout) ??
    [];
  expect(token).not.toBe('');
  expect(await readFile(join(data, 'logs', 'vitrine.log'), 'utf8')).not.toContain(token);
});

it('is not reachable from other machines while authentication is off, and does not start when that is uncertain', async () => {
  const data = await temporaryFolder();
  const open = await runServer(data, {}, ['--host', '0.0.0.0']);
  expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining('DISABLE_AUTH=false') });
  const unclear = await runServer(data, { DISABLE_AUTH: 'flase' });
  expect(unclear).toMatchObject({ code: 1, stderr: expect.stringContaining('DISABLE_AUTH must be true or false') });
});

it('answers over TLS, with secure cookies and https addresses; commands trust its certificate', async () => {
  const { core, data } = await createTestCore({ environment: WITH_ACCOUNTS });
  await addAccount(data, { username: 'ann', role: 'editor' });
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'vitrine.example.org' }]);
  const http = await startHttpServer({
    core,
    log: silentLog,
    port: 0,
    temporaryFolder: core.temporaryFolder,
    rendererFolder: null,
    network: { ...LOOPBACK, tls: { cert, key }, names: ['vitrine.example.org'], allowsAddresses: true },
  });
  onTestFinished(() => http.close());
  const url = new URL('/api/v1/login', http.baseUrl);
  expect(url.protocol).toBe('https:');
  expect(http.shownUrl).toBe(`https://vitrine.example.org:${url.port}`);

  const login = (host: string) =>
    new Promise<{ status: number | undefined; cookie: string; body: { user?: { api_url: string } } }>(
      (answered, failed) => {
        const sent = request(url, {
          ...{ method: 'POST', ca: cert, checkServerIdentity: () => undefined },
          headers: { host, origin: `https://${host}`, 'content-type': 'application/json' },
        });
        sent.once('error', failed);
        sent.once('response', async (response) => {
          const [cookie = ''] = response.headers['set-cookie'] ?? [];
          answered({ status: response.statusCode, cookie, body: JSON.parse(await text(response)) });
        });
        sent.end(json({ username: 'ann', password: PASSWORD }).body);
      },
    );
  const { status, cookie, body } = await login(`vitrine.example.org:${url.port}`);
  expect(status).toBe(200);
  expect(cookie).toContain('; Secure');
  expect(body.user?.api_url).toBe(`https://vitrine.example.org:${url.port}/api/v1`);
  expect((await login('10.1.2.3')).status).toBe(200);
  expect((await login('elsewhere.example.org')).status).toBe(403);

  const address = { base_url: http.baseUrl, key: core.commandKey, certificate: cert };
  expect(await callerOver(address)('list_datasets', {})).toEqual([]);
  await expect(callerOver({ ...address, key: 'guessed' })('list_datasets', {})).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});
