import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface HttpClient {
  /** Returns milliseconds until the response is read. @throws Error if the status is not 200. */
  ask(url: string): Promise<number>;
  close(): void;
}

interface Answered {
  ms: number;
  refused?: string;
}

/** Starts a client in a small process. A process that has created a million items runs garbage collection while it waits for a response. */
export function startClient(): HttpClient {
  const child = fork(fileURLToPath(import.meta.url), [CHILD_ARGUMENT], { execArgv: [] });
  return {
    ask: async (url) => {
      child.send(url);
      const [{ ms, refused }] = (await once(child, 'message')) as [Answered];
      if (refused !== undefined) throw new Error(refused);
      return ms;
    },
    close: () => child.disconnect(),
  };
}

const CHILD_ARGUMENT = 'http-client-child';

if (process.argv[2] === CHILD_ARGUMENT) {
  process.on('message', async (url: string) => {
    const started = performance.now();
    const response = await fetch(url);
    const text = await response.text();
    const answered: Answered = { ms: performance.now() - started };
    if (response.status !== 200) answered.refused = `${url} answered ${response.status}: ${text}`;
    process.send?.(answered);
  });
}
