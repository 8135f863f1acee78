import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What the front server does instead of forwarding a request; undefined to forward it. */
export type Mischief = { status: number; code?: string } | { cut_after_bytes: number } | undefined;

/** A real S3 server (s3rver) on loopback behind a front server that can inject faults and that supports AssumeRole. */
export interface S3Server {
  endpoint: string;
  /** Creates the bucket if it is missing and creates or replaces an object. */
  put(bucket: string, key: string, body: Uint8Array | string): Promise<void>;
  remove(bucket: string, key: string): Promise<void>;
  makeBucket(bucket: string): Promise<void>;
  /** Sets the function that decides about every following request. */
  onRequest(decide: (request: IncomingMessage) => Mischief | Promise<Mischief>): void;
  /** `METHOD /path` of every request so far. */
  requests: string[];
  close(): Promise<void>;
}

/** Environment with the only key pair that the server accepts. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
}

/** @param folder An empty folder for the objects. */
export async function startS3Server(folder: string): Promise<S3Server> {
  const load = createRequire(import.meta.url);
  allowSingleDes(load('node:crypto'));
  const Server = load('s3rver') as new (options: object) => S3rver;
  const behind = new Server({ address: '127.0.0.1', port: 0, silent: true, directory: folder, vhostBuckets: false });
  const { port } = await behind.run();
  let decide: (request: IncomingMessage) => Mischief | Promise<Mischief> = () => undefined;
  const requests: string[] = [];

  const front = createServer(async (requested, answer) => {
    requests.push(`${requested.method} ${requested.url}`);
    const mischief = await decide(requested);
    if (mischief && 'status' in mischief) answer.writeHead(mischief.status).end(fault(mischief.code));
    else if (requested.method === 'POST' && requested.url === '/') assumeRole(requested, answer);
    else handOn(requested, answer, port, mischief?.cut_after_bytes);
  });
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
  const address = front.address() as AddressInfo;
  const fileOf = (bucket: string, key: string) => join(folder, bucket, `${key}._S3rver_object`);

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    requests,
    put: async (bucket, key, body) => {
      const file = fileOf(bucket, key);
      await mkdir(dirname(file), { recursive: true });
      await rm(`${file}.md5`, { force: true });
      await writeFile(file, body);
      await utimes(file, 1_700_000_000, 1_700_000_000);
    },
    remove: (bucket, key) => rm(fileOf(bucket, key)),
    makeBucket: async (bucket) => {
      await mkdir(join(folder, bucket), { recursive: true });
    },
    onRequest: (next) => {
      decide = next;
    },
    close: async () => {
      front.closeAllConnections();
      await new Promise((closed) => front.close(closed));
      behind.httpServer.closeAllConnections();
      await behind.close();
    },
  };
}

interface CipherFactories {
  createCipheriv(name: string, key: Buffer, iv: Buffer): unknown;
  createDecipheriv(name: string, key: Buffer, iv: Buffer): unknown;
}

/**
 * s3rver encrypts its continuation tokens with DES, which OpenSSL 3 no longer provides by default. Triple DES with the same key three times
 * is the same cipher.
 */
function allowSingleDes(crypto: CipherFactories): void {
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const make = crypto[name];
    crypto[name] = (algorithm, key, iv) =>
      algorithm === 'des' ? make('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : make(algorithm, key, iv);
  }
}

/** Forwards a request and its response, optionally cutting the response off after a number of bytes of the body. */
function handOn(requested: IncomingMessage, answer: ServerResponse, port: number, cutAfterBytes?: number): void {
  const onward = request(
    {
      host: '127.0.0.1',
      port,
      method: requested.method,
      path: requested.url,
      headers: requested.headers,
      agent: false,
    },
    (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      let passed = 0;
      got.on('data', (chunk: Buffer) => {
        const left = (cutAfterBytes ?? Number.POSITIVE_INFINITY) - passed;
        passed += chunk.length;
        if (chunk.length <= left) {
          if (!answer.write(chunk)) {
            got.pause();
            answer.once('drain', () => got.resume());
          }
          return;
        }
        got.destroy();
        answer.write(chunk.subarray(0, left), () => answer.destroy());
      });
      got.on('end', () => answer.end());
    },
  );
  onward.on('error', () => answer.destroy());
  requested.pipe(onward);
}

/** An S3 error as XML, with a message that must never be shown. */
function fault(code: string | undefined): string {
  return code === undefined ? '' : `<Error><Code>${code}</Code><Message>very-secret</Message></Error>`;
}

/** Returns the one known key pair for roles whose name ends in `reader`, and refuses others. */
async function assumeRole(requested: IncomingMessage, answer: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(requested));
  answer.setHeader('content-type', 'text/xml');
  if (form.get('Action') !== 'AssumeRole' || !form.get('RoleArn')?.endsWith('reader')) {
    answer.writeHead(403).end(`<ErrorResponse>${fault('AccessDenied')}</ErrorResponse>`);
    return;
  }
  const keys = '<AccessKeyId>S3RVER</AccessKeyId><SecretAccessKey>S3RVER</SecretAccessKey>';
  const token = `<SessionToken>token</SessionToken><Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration>`;
  answer.end(
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>${keys}${token}</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  );
}
