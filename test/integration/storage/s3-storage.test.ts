import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createObjectStorage,
  type ObjectEntry,
  type ObjectStorage,
} from '../../../src-main/infra/storage/s3-storage.ts';
import { parseS3Uri } from '../../../src-main/infra/storage/s3-uri.ts';
import { atEnd } from '../../support/at-end.ts';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BAD_URI = 'Invalid S3 URI or no media files found at the given uri';
const { signal } = new AbortController();

let server: S3Server;
let storage: ObjectStorage;

beforeAll(async () => {
  server = await startS3Server(await temporaryFolder(atEnd));
  storage = createObjectStorage(() => ({ endpoint: server.endpoint }));
});
afterAll(async () => {
  storage.close();
  await server.close();
});
beforeEach(() => {
  server.onRequest(() => undefined);
  useEnvironment(S3_CREDENTIALS);
});

function useEnvironment(variables: Record<string, string>): void {
  const clean = { AWS_CONFIG_FILE: '/nonexistent', AWS_SHARED_CREDENTIALS_FILE: '/nonexistent' };
  for (const [name, value] of Object.entries({ ...clean, ...variables })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function listAll(uri: string, from = storage): Promise<ObjectEntry[]> {
  return (await collect(from.list(uri, { signal }))).flat();
}

test('URIs are parsed literally', () => {
  expect(parseS3Uri('s3://bucket')).toEqual({ bucket: 'bucket', key: '' });
  expect(parseS3Uri('s3://bucket/')).toEqual({ bucket: 'bucket', key: '' });
  expect(parseS3Uri('S3://my.bucket-1/a b/ü%20.jpg')).toEqual({ bucket: 'my.bucket-1', key: 'a b/ü%20.jpg' });
  for (const bad of [
    '',
    's3://',
    's3:///key',
    'http://bucket/key',
    's3://b',
    's3://a..b/c',
    's3://bucket?x',
    '/local',
  ]) {
    expect(() => parseS3Uri(bad), bad).toThrow(BAD_URI);
  }
});

describe('listing', () => {
  test('pages beyond 1,000 keys', async () => {
    const keys = Array.from(
      { length: 2_500 },
      (_, index) => `many/d${index % 7}/${String(index).padStart(5, '0')}.jpg`,
    );
    for (const key of keys) await server.put('big', key, 'x');
    const pages = await collect(storage.list('s3://big/many', { signal }));
    expect(pages.length).toBe(3);
    expect(
      pages
        .flat()
        .map((entry) => entry.key)
        .sort(),
    ).toEqual(keys.sort());
  });

  test('lists only the folder, with nested folders and names of every script', async () => {
    const names = [
      'a.jpg',
      'deep/er/b.png',
      'Grüße 日本 +&%41.jpg',
      "quote's <x>.jpg",
      'emoji/🐈.gif',
      'combining/é.jpg',
    ];
    for (const name of names) await server.put('names', `set/${name}`, name);
    await server.put('names', 'set-2/other.jpg', 'x');
    await server.put('names', 'set/.hidden/c.jpg', 'x');
    await server.put('names', 'set/__MACOSX/c.jpg', 'x');
    await server.put('names', 'set/marker_$folder$', '');
    for (const uri of ['s3://names/set', 's3://names/set/']) {
      const found = await listAll(uri);
      expect(found.map((entry) => entry.path).sort()).toEqual([...names].sort());
      for (const { bucket, key, path, size_bytes, etag, mtime_ms } of found) {
        expect({ bucket, key, size_bytes }).toEqual({
          bucket: 'names',
          key: `set/${path}`,
          size_bytes: Buffer.byteLength(path),
        });
        expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
        expect(mtime_ms).toBe(1_700_000_000_000);
      }
    }
    const folder = await temporaryFolder();
    for (const entry of await listAll('s3://names/set')) {
      const file = join(folder, 'object');
      await storage.fetchObject(entry, file, { signal });
      expect(await readFile(file, 'utf8')).toBe(entry.path);
    }
  });

  test('finds nothing at an empty location and reports a missing bucket', async () => {
    await server.makeBucket('empty');
    expect(await listAll('s3://empty/nowhere')).toEqual([]);
    await expect(listAll('s3://no-such-bucket/x')).rejects.toMatchObject({ code: 'invalid_request', message: BAD_URI });
    await expect(listAll('nonsense')).rejects.toMatchObject({ code: 'invalid_request', message: BAD_URI });
  });

  test('stops at once', async () => {
    const stop = new AbortController();
    server.onRequest(() => {
      stop.abort();
      return undefined;
    });
    const listed = collect(storage.list('s3://empty', { signal: stop.signal }));
    await expect(listed).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('credentials', () => {
  /** Creates a storage with its own clients, because clients cache credentials. */
  function freshStorage(settings = {}): ObjectStorage {
    const fresh = createObjectStorage(() => ({ endpoint: server.endpoint, maxAttempts: 1, ...settings }));
    onTestFinished(() => fresh.close());
    return fresh;
  }

  test('refused ones are reported without secrets', async () => {
    await server.put('safe', 'a.jpg', 'x');
    useEnvironment({ AWS_ACCESS_KEY_ID: 'NOBODY', AWS_SECRET_ACCESS_KEY: 'very-secret' });
    await expect(listAll('s3://safe', freshStorage())).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'The object storage refused the credentials',
    });
    for (const code of ['SignatureDoesNotMatch', 'AccessDenied', 'ExpiredToken']) {
      server.onRequest(() => ({ status: 403, code }));
      const refused = await listAll('s3://safe', freshStorage()).catch((error: Error) => error);
      expect(refused).toMatchObject({ code: 'storage_failed', message: expect.stringMatching(/refused/) });
      expect(String(refused)).not.toContain('secret');
    }
  });

  test('missing ones are reported, without a request to the network', async () => {
    vi.unstubAllEnvs();
    useEnvironment({});
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    await expect(listAll('s3://safe', freshStorage())).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'No credentials for the object storage were found in the environment or the AWS configuration',
    });
    expect(process.env.AWS_EC2_METADATA_DISABLED).toBe('true');
  });

  test('a role is assumed at the same endpoint, once for many requests', async () => {
    await server.put('safe', 'a.jpg', 'x');
    const assumeRole = 'arn:aws:iam::123456789012:role/reader';
    const fresh = freshStorage();
    const askedBefore = server.requests.length;
    for (let round = 0; round < 2; round += 1) {
      const found = await collect(fresh.list('s3://safe', { assumeRole, signal }));
      expect(found.flat().map((entry) => entry.key)).toEqual(['a.jpg']);
    }
    expect(server.requests.slice(askedBefore).filter((line) => line === 'POST /')).toHaveLength(1);
    const refused = collect(fresh.list('s3://safe', { assumeRole: 'arn:aws:iam::123456789012:role/nobody', signal }));
    await expect(refused).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'The role could not be assumed: the credentials may not take it or it does not exist',
    });
    const noRole = collect(fresh.list('s3://safe', { assumeRole: 'admin', signal }));
    await expect(noRole).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('the endpoint of the environment is used when none is set', async () => {
    await server.put('safe', 'a.jpg', 'x');
    useEnvironment({ ...S3_CREDENTIALS, AWS_ENDPOINT_URL_S3: server.endpoint });
    expect(await listAll('s3://safe', freshStorage({ endpoint: undefined }))).toHaveLength(1);
  });

  test('an endpoint that does not answer is reported', async () => {
    const closed = await startS3Server(await temporaryFolder());
    await closed.close();
    await expect(listAll('s3://safe', freshStorage({ endpoint: closed.endpoint }))).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'The object storage cannot be reached',
    });
    await expect(listAll('s3://safe', freshStorage({ endpoint: 'minio:9000' }))).rejects.toMatchObject({
      code: 'storage_failed',
    });
  });
});

describe('fetching', () => {
  const body = randomBytes(1_500_000);

  async function fetchTo(folder: string, key: string, maxBytes?: number) {
    const limit = maxBytes === undefined ? {} : { maxBytes: maxBytes };
    return storage.fetchObject({ bucket: 'media', key }, join(folder, 'sub', 'file'), { signal, ...limit });
  }

  test('busy answers are retried', async () => {
    await server.put('media', 'busy.bin', body);
    let refusals = 2;
    server.onRequest(() => (refusals-- > 0 ? { status: 503 } : undefined));
    const folder = await temporaryFolder();
    expect(await fetchTo(folder, 'busy.bin')).toMatchObject({ size_bytes: body.length, mtime_ms: 1_700_000_000_000 });
    expect(body.equals(await readFile(join(folder, 'sub', 'file')))).toBe(true);
  });

  test('an interrupted transfer resumes where it stopped', async () => {
    await server.put('media', 'cut.bin', body);
    const ranges: (string | undefined)[] = [];
    server.onRequest((request) => {
      ranges.push(request.headers.range);
      return ranges.length <= 2 ? { cut_after_bytes: 400_000 } : undefined;
    });
    const folder = await temporaryFolder();
    expect((await fetchTo(folder, 'cut.bin')).size_bytes).toBe(body.length);
    expect(body.equals(await readFile(join(folder, 'sub', 'file')))).toBe(true);
    expect(ranges[0]).toBeUndefined();
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(await readdir(join(folder, 'sub'))).toEqual(['file']);
  });

  test('an object that changes during the transfer is fetched again', async () => {
    await server.put('media', 'changing.bin', body);
    const second = randomBytes(900_000);
    let requested = 0;
    server.onRequest(async () => {
      requested += 1;
      if (requested === 1) return { cut_after_bytes: 500_000 };
      if (requested === 2) await server.put('media', 'changing.bin', second);
      return undefined;
    });
    const folder = await temporaryFolder();
    expect((await fetchTo(folder, 'changing.bin')).size_bytes).toBe(second.length);
    expect(second.equals(await readFile(join(folder, 'sub', 'file')))).toBe(true);
  });

  test('an object that disappears meanwhile leaves nothing behind', async () => {
    await server.put('media', 'vanishing.bin', body);
    let requested = 0;
    server.onRequest(async () => {
      requested += 1;
      if (requested === 1) return { cut_after_bytes: 500_000 };
      if (requested === 2) await server.remove('media', 'vanishing.bin');
      return undefined;
    });
    const folder = await temporaryFolder();
    await expect(fetchTo(folder, 'vanishing.bin')).rejects.toMatchObject({
      code: 'not_found',
      message: 'The object is no longer there',
    });
    expect(await readdir(join(folder, 'sub'))).toEqual([]);
  });

  test('gives up on connections that always break, refuses large objects, and stops on request', async () => {
    await server.put('media', 'never.bin', body);
    const folder = await temporaryFolder();
    await expect(fetchTo(folder, 'never.bin', 1_000_000)).rejects.toMatchObject({ code: 'too_large' });
    server.onRequest(() => ({ cut_after_bytes: 0 }));
    const impatient = createObjectStorage(() => ({ endpoint: server.endpoint, maxAttempts: 2 }));
    onTestFinished(() => impatient.close());
    const location = { bucket: 'media', key: 'never.bin' };
    await expect(impatient.fetchObject(location, join(folder, 'b'), { signal })).rejects.toMatchObject({
      code: 'storage_failed',
    });
    const stop = new AbortController();
    server.onRequest(() => {
      setImmediate(() => stop.abort());
      return { cut_after_bytes: 10 };
    });
    await expect(storage.fetchObject(location, join(folder, 'c'), { signal: stop.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await readdir(folder)).toEqual(['sub']);
  });

  test('manifests are read as streams', async () => {
    await server.put('media', 'list/manifest.csv', 'filename\na.jpg\n');
    const location = parseS3Uri('s3://media/list/manifest.csv');
    expect((await buffer(await storage.readObject(location, { signal }))).toString()).toBe('filename\na.jpg\n');
    const missing = storage.readObject(parseS3Uri('s3://media/none.csv'), { signal });
    await expect(missing).rejects.toMatchObject({ code: 'invalid_request', message: BAD_URI });
  });
});
