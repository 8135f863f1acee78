import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How one answer goes wrong. */
export type Mischief =
  /** The connection breaks after so many bytes of the body, which begins at `from`; not before `once` has come true, if that is given. */
  | { kind: 'cut'; after_bytes: number; once?: (from: number) => Promise<unknown> }
  | { kind: 'status'; status: number }
  /** The whole file, whatever part was asked for. */
  | { kind: 'ignore_range' }
  /** One byte in the middle is another. */
  | { kind: 'corrupt' }
  /** The header announces more or fewer bytes than the file has. */
  | { kind: 'lie'; announced_bytes: number }
  | { kind: 'redirect'; to: string }
  /** The body comes in small pieces with pauses, until {@link ModelHub.hurry}. */
  | { kind: 'slow' }
  /** A file of another version: other bytes, another ETag. */
  | { kind: 'other_version'; bytes: Buffer };

export interface HubRequest {
  path: string;
  range: string | undefined;
  if_range: string | undefined;
}

/** A hub of models on loopback: files at `/<repository>/resolve/<revision>/<path>`. */
export interface ModelHub {
  url: string;
  files: Map<string, Buffer>;
  requests: HubRequest[];
  /** What goes wrong with the n-th request for a path, counted from 1; undefined when nothing does. */
  misbehave(how: (path: string, nth: number) => Mischief | undefined): void;
  /** Lets slow answers go on at full speed. */
  hurry(): void;
  close(): void;
}

/** A connection that breaks at once takes along what the other side has not read yet. */
const CUT_PAUSE_MS = 50;
const SLOW_PIECE_BYTES = 16 * 1024;
const SLOW_PAUSE_MS = 20;

export async function startModelHub(files: Record<string, Buffer> = {}): Promise<ModelHub> {
  const stored = new Map(Object.entries(files));
  const requests: HubRequest[] = [];
  const counts = new Map<string, number>();
  let mischief: (path: string, nth: number) => Mischief | undefined = () => undefined;
  let hurried = false;

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const nth = (counts.get(path) ?? 0) + 1;
    counts.set(path, nth);
    requests.push({ path, range: request.headers.range, if_range: headerOf(request, 'if-range') });
    const bytes = stored.get(path);
    const wrong = mischief(path, nth);
    if (wrong?.kind === 'status') response.writeHead(wrong.status).end('no');
    else if (wrong?.kind === 'redirect') response.writeHead(302, { location: wrong.to }).end();
    else if (!bytes) response.writeHead(404).end('not here');
    else void send(request, response, bytes, wrong);
  });

  async function send(
    request: IncomingMessage,
    response: ServerResponse,
    file: Buffer,
    wrong: Mischief | undefined,
  ): Promise<void> {
    const bytes = wrong?.kind === 'other_version' ? wrong.bytes : wrong?.kind === 'corrupt' ? corrupted(file) : file;
    const etag = etagOf(wrong?.kind === 'corrupt' ? file : bytes);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const same = headerOf(request, 'if-range') === undefined || headerOf(request, 'if-range') === etag;
    if (from >= bytes.length && from > 0 && same) {
      response.writeHead(416, { etag, 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    const inPart = from > 0 && same && wrong?.kind !== 'ignore_range';
    const body = inPart ? bytes.subarray(from) : bytes;
    const announced = wrong?.kind === 'lie' ? wrong.announced_bytes : body.length;
    response.writeHead(inPart ? 206 : 200, {
      etag,
      'content-length': announced,
      ...(inPart && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (wrong?.kind === 'cut') {
      response.write(body.subarray(0, wrong.after_bytes));
      await (wrong.once?.(inPart ? from : 0) ?? pause(CUT_PAUSE_MS));
      response.destroy();
    } else if (wrong?.kind === 'slow') {
      for (let at = 0; at < body.length && !response.destroyed; at += SLOW_PIECE_BYTES) {
        response.write(body.subarray(at, at + SLOW_PIECE_BYTES));
        if (!hurried) await pause(SLOW_PAUSE_MS);
      }
      response.end();
    } else if (announced > body.length) {
      response.write(body);
      await pause(CUT_PAUSE_MS);
      response.destroy();
    } else response.end(body.subarray(0, announced));
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files: stored,
    requests,
    misbehave: (how) => {
      mischief = how;
      counts.clear();
    },
    hurry: () => {
      hurried = true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function etagOf(bytes: Buffer): string {
  return `"${sha256Of(bytes).slice(0, 16)}"`;
}

function corrupted(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}
