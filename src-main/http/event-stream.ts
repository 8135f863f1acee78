import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AppEvent } from '../contract/events.ts';
import type { Core } from '../core/core.ts';

const PING_MS = 3000;
/** Events kept for a client that reads slowly; it is told to ask again for everything it missed by the next event. */
const MAX_WAITING = 1000;

/** Sends the core's events as server-sent events, with a ping every three seconds, until the client goes away. */
export function sendEventStream(reply: FastifyReply, core: Core, signal: AbortSignal): FastifyReply {
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  return reply.send(Readable.from(eventFrames(core, signal), { objectMode: false }));
}

async function* eventFrames(core: Core, signal: AbortSignal): AsyncGenerator<string> {
  const waiting: AppEvent[] = [];
  let wake: () => void = () => undefined;
  const unsubscribe = core.subscribe((event) => {
    waiting.push(event);
    if (waiting.length > MAX_WAITING) waiting.shift();
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    yield frame('ping', {});
    while (!signal.aborted) {
      const event = waiting.shift();
      if (event) {
        yield frame(event.name, event.data);
        continue;
      }
      const woken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), PING_MS);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!woken) yield frame('ping', {});
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
