import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A fault of one response. */
export type Mischief =
  /** Breaks the connection after this many bytes of the body, which starts at byte `from`, and not before `once` has resolved, if given. */
  | { kind: 'cut'; after_bytes: number; once?: (from: number) => Promise<unknown> }
  | { kind: 'status'; status: number }
  /** Sends the whole file and ignores the requested range. */
  | { kind: 'ignore_range' }
  /** Changes one byte in the middle. */
  | { kind: 'corrupt' }
  /** Announces more or fewer bytes in the header than the file has. */
  | { kind: 'lie'; announced_bytes: number }
  | { kind: 'redirect'; to: string }
  /** Sends the body in small chunks with pauses until {@link ModelHub.hurry} is called. */
  | { kind: 'slow' }
  /** Sends a different version of the file: other bytes and another ETag. */
  | { kind: 'other_version'; bytes: Buffer };

export interface HubRequest {
  path: string;
  range: string | undefined;
  if_range: string | undefined;
}

/** A model hub on loopback that serves files at `/<repository>/resolve/<revision>/<path>`. */
export interface ModelHub {
  url: string;
  files: Map<string, Buffer>;
  requests: HubRequest[];
  /** Chooses the fault of the n-th request for a path, counted from 1; undefined for none. */
  misbehave(how: (path: string, nth: number) => Mischief | undefined): void;
  /** Continues slow responses at full speed. */
  hurry(): void;
  close(): void;
}

/** Pause before a connection is broken. Without it, data that the client has not read yet would be lost. */
const CUT_PAUSE_MS = 50;
const SLOW_CHUNK_BYTES = 16 * 1024;
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
      for (let at = 0; at < body.length && !response.destroyed; at += SLOW_CHUNK_BYTES) {
        response.write(body.subarray(at, at + SLOW_CHUNK_BYTES));
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
