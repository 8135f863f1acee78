import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Transport } from './api.ts';
import { pause } from './pause.ts';
import { VitrineError } from './vitrine-error.ts';

const REOPEN_MS = 1000;
const MAX_REOPEN_MS = 30_000;

export interface StreamEvent<Data = Readonly<Record<string, unknown>>> {
  name: string;
  data: Data;
}

/**
 * Yields server-sent events except pings. A broken connection is opened again, and events that the server can repeat since then follow.
 * Ends when the signal fires.
 * @throws VitrineError when the server refuses the stream, for example without permission.
 */
export async function* readEvents<Data>(
  transport: Transport,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent<Data>> {
  let lastId: string | undefined;
  for (let delayMs = REOPEN_MS; !signal?.aborted; delayMs = Math.min(2 * delayMs, MAX_REOPEN_MS)) {
    try {
      const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) };
      const { body } = await transport.send(path, { headers, ...(signal && { signal }) });
      if (body === null) return;
      const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event = 'message', data, id } of events) {
        delayMs = REOPEN_MS;
        if (id !== undefined) lastId = id;
        if (event !== 'ping') yield { name: event, data: JSON.parse(data) };
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof VitrineError && !error.isTransient) throw error;
    }
    await pause(delayMs, signal);
  }
}
