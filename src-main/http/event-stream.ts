import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { StreamedEvent } from '../contract/events.ts';
import type { Log } from '../core/ports/log.ts';
import type { Heartbeat } from './heartbeat.ts';

interface Parts {
  heartbeat: Heartbeat;
  /** Aborted when the client disconnects, and by this module when the client loses its permission. */
  connection: AbortController;
  mayListen: () => boolean;
  log: Log;
}

const PING = frame({ name: 'ping', data: {} });

/** Sends server-sent events, with a ping at once and every three seconds, until the client disconnects or loses its permission. */
export function sendEventStream(reply: FastifyReply, events: AsyncIterable<StreamedEvent>, parts: Parts): FastifyReply {
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const stream = new PassThrough();
  // The signal reports the same disconnect.
  stream.on('error', () => undefined);
  stream.write(PING);
  void send(stream, events, parts);
  return reply.send(stream);
}

async function send(stream: PassThrough, events: AsyncIterable<StreamedEvent>, parts: Parts): Promise<void> {
  const { heartbeat, connection, mayListen, log } = parts;
  const { signal } = connection;
  const leave = heartbeat.join(() => {
    if (!mayListen()) connection.abort();
    // Skips the ping while a slow client still has unread data.
    else if (!stream.writableNeedDrain) stream.write(PING);
  });
  try {
    for await (const event of events) {
      if (!stream.write(frame(event))) await once(stream, 'drain', { signal });
    }
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'a stream of events failed');
  } finally {
    leave();
    stream.end();
  }
}

function frame({ name, data, id }: StreamedEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${idLine}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
