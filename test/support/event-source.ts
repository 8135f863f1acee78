import { type ClientRequest, get, type IncomingMessage } from 'node:http';

export interface SentEvent {
  name: string;
  data: unknown;
  id: string | undefined;
  /** Arrival time in milliseconds of `performance.now()`. */
  at: number;
}

/** A client for server-sent events with its own connection. */
export interface EventSource {
  events: SentEvent[];
  /** Returns the events with a name that have arrived so far. */
  named(name: string): SentEvent[];
  close(): void;
  /** Resolves when either side has closed the connection. */
  closed: Promise<void>;
}

/** Connects and resolves after the first event has arrived. @throws Error if the response is not an event stream. */
export async function openEventSource(url: string, headers: Record<string, string> = {}): Promise<EventSource> {
  const request: ClientRequest = get(url, { headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  if (!response.headers['content-type']?.startsWith('text/event-stream')) {
    request.destroy();
    throw new Error(`answered ${response.statusCode}`);
  }
  const events: SentEvent[] = [];
  let rest = '';
  response.setEncoding('utf8');
  const first = new Promise<void>((resolve) => {
    response.on('data', (text: string) => {
      const frames = (rest + text).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) events.push(parseFrame(frame));
      if (events.length > 0) resolve();
    });
  });
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  response.on('error', () => undefined);
  request.on('error', () => undefined);
  await Promise.race([first, closed]);
  return {
    events,
    named: (name) => events.filter((event) => event.name === name),
    close: () => request.destroy(),
    closed,
  };
}

function parseFrame(frame: string): SentEvent {
  const fields = new Map(frame.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) as [string, string]));
  return {
    name: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
    id: fields.get('id'),
    at: performance.now(),
  };
}
