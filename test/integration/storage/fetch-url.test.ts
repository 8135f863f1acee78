import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUrlFetcher, type UrlFetcherSettings } from '../../../src-main/infra/storage/fetch-url.ts';
import { isPublicAddress } from '../../../src-main/infra/storage/public-address.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const body = randomBytes(300_000);
const QUICK = { allowPrivate: () => true, backoffMs: 1, idleMs: 5_000 };

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<string> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    answer(request, response, count);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function fetchTo(url: string, settings: UrlFetcherSettings = QUICK, maxBytes = 1_000_000, signal?: AbortSignal) {
  const folder = await temporaryFolder();
  const fetcher = createUrlFetcher(settings);
  onTestFinished(() => fetcher.close());
  const file = join(folder, 'fetched');
  try {
    const fetched = await fetcher.fetchUrl(url, file, {
      maxBytes: maxBytes,
      signal: signal ?? new AbortController().signal,
    });
    return { ...fetched, bytes: await readFile(file) };
  } catch (error) {
    expect(await readdir(folder)).toEqual([]);
    throw error;
  }
}

test('only addresses of the public internet are public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1']) {
    expect(isPublicAddress(address), address).toBe(true);
  }
  const special = [
    [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
    ],
    [
      '224.0.0.1',
      '239.1.1.1',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.9',
      '203.0.113.1',
    ],
    [
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
    ],
    ['ff02::1', '2002:7f00:1::', '2001:0:1::1', '2001:db8::1', 'fec0::1', 'fe80::1%lo', '', 'localhost'],
  ].flat();
  for (const address of special) expect(isPublicAddress(address), address).toBe(false);
});

describe('the guard', () => {
  const guarded = { ...QUICK, allowPrivate: () => false };
  const refused = { code: 'forbidden' };

  test('refuses this machine under every name, and connects to it when allowed', async () => {
    let requested = 0;
    const url = await serve((_, response) => {
      requested += 1;
      response.end(body);
    });
    const { port } = new URL(url);
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ];
    for (const host of hosts)
      await expect(fetchTo(`http://${host}:${port}/a`, guarded), host).rejects.toMatchObject(refused);
    expect(requested).toBe(0);
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await fetchTo(`http://${host}:${port}/a`)).bytes.equals(body)).toBe(true);
    }
    expect(requested).toBe(2);
  });

  test('refuses metadata services and private networks without a connection', async () => {
    for (const host of ['169.254.169.254', '10.0.0.1', '192.168.0.1', '[fd00:ec2::254]']) {
      await expect(fetchTo(`http://${host}/latest/meta-data/`, guarded)).rejects.toMatchObject(refused);
    }
  });

  test('applies the same rules to redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/ftp') response.writeHead(302, { location: 'ftp://127.0.0.1/x' }).end();
      else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else response.writeHead(302, { location: '/again' }).end();
    });
    for (const path of ['/ftp', '/file']) {
      await expect(fetchTo(url + path)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const outer = await serve((_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.2/inside' }).end();
    });
    // Only the test's own server counts as the public internet.
    const oneAddress = { ...guarded, isPublic: (address: string) => address === '127.0.0.1' };
    await expect(fetchTo(outer, oneAddress)).rejects.toMatchObject(refused);
    await expect(fetchTo(`${url}/loop`)).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'The address redirects more than 5 times',
    });
  });

  test('accepts only http and https', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://example.com/a', 'data:,x', 'a.jpg', '']) {
      await expect(fetchTo(url), url).rejects.toMatchObject({
        code: 'invalid_request',
        message: 'Not an http(s) address',
      });
    }
  });
});

describe('fetching', () => {
  test('follows redirects and does not send credentials to other hosts', async () => {
    const seen: (string | undefined)[] = [];
    const target = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.setHeader('content-type', 'image/PNG; charset=x');
      response.end(body);
    });
    const first = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: `${target}/there` }).end();
    });
    const fetched = await fetchTo(first.replace('//', '//me:pass@'));
    expect(fetched).toMatchObject({ size_bytes: body.length, content_type: 'image/png' });
    expect(fetched.bytes.equals(body)).toBe(true);
    expect(seen).toEqual([`Basic ${Buffer.from('me:pass').toString('base64')}`, undefined]);
  });

  test('retries after 503 and after broken connections', async () => {
    const url = await serve((_, response, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count === 2) response.destroy();
      else if (count === 3) {
        response.writeHead(200, { 'content-length': body.length });
        response.write(body.subarray(0, 1000), () => response.destroy());
      } else response.end(body);
    });
    expect((await fetchTo(url)).bytes.equals(body)).toBe(true);
  });

  test('resumes if the server names the same version, and starts again if the version differs', async () => {
    for (const isSame of [true, false]) {
      const requested: (string | undefined)[] = [];
      const url = await serve((request, response, count) => {
        requested.push(request.headers.range);
        if (count === 1) {
          response.writeHead(200, { etag: '"one"', 'content-length': body.length });
          response.write(body.subarray(0, 100_000), () => response.destroy());
          return;
        }
        const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]);
        expect(request.headers['if-range']).toBe('"one"');
        const range = `bytes ${from}-${body.length - 1}/${body.length}`;
        if (isSame) response.writeHead(206, { etag: '"one"', 'content-range': range });
        else response.writeHead(200, { etag: '"two"' });
        response.end(isSame ? body.subarray(from) : body);
      });
      expect((await fetchTo(url)).bytes.equals(body)).toBe(true);
      expect(requested).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]/)]);
    }
  });

  test('does not retry permanent failures, and gives up eventually', async () => {
    let requested = 0;
    const url = await serve((request, response) => {
      requested += 1;
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    await expect(fetchTo(`${url}/404`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fetchTo(`${url}/403`)).rejects.toMatchObject({ message: 'The server answered with status 403' });
    expect(requested).toBe(2);
    await expect(fetchTo(`${url}/500`)).rejects.toMatchObject({ message: 'The server answered with status 500' });
    expect(requested).toBe(6);
  });

  test('limits the size, declared or not', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', body.length);
      response.write(body);
      response.end();
    });
    for (const path of ['/announced', '/chunked']) {
      await expect(fetchTo(url + path, QUICK, 1000)).rejects.toMatchObject({ code: 'too_large' });
    }
  });

  test('detects a wrong length', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\nconnection: close\r\n\r\nshort'),
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(fetchTo(url, { ...QUICK, maxAttempts: 2 })).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('does not wait for a server that stops sending', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/body') response.write('x');
    });
    const impatient = { ...QUICK, idleMs: 50, maxAttempts: 2 };
    for (const path of ['/header', '/body']) {
      await expect(fetchTo(url + path, impatient)).rejects.toMatchObject({ message: 'The server took too long' });
    }
    const drip = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    });
    await expect(fetchTo(drip, { ...QUICK, totalMs: 100, maxAttempts: 1 })).rejects.toMatchObject({
      message: 'The server took too long',
    });
  });

  test('stops on request', async () => {
    const stop = new AbortController();
    const url = await serve((_, response) => {
      response.write('x');
      stop.abort();
    });
    await expect(fetchTo(url, QUICK, 1000, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
