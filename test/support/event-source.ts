import { type ClientRequest, get, type IncomingMessage } from 'node:http';

export interface SentEvent {
  name: string;
  data: unknown;
  id: string | undefined;
  /** When it came, in milliseconds of `performance.now()`. */
  at: number;
}

/** A client of server-sent events on a connection of its own. */
export interface EventSource {
  events: SentEvent[];
  /** Those of a name so far. */
  named(name: string): SentEvent[];
  close(): void;
  /** Resolves when the connection is closed by either side. */
  closed: Promise<void>;
}

/** Connects and resolves once the first event has come. @throws Error when the answer is no stream. */
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
