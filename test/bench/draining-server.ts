import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Starts the simplest possible upload server: a separate process that reads each body, discards it and responds with 202. */
export async function startDrainingServer(): Promise<{ base_url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), [CHILD_ARGUMENT], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { base_url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

const CHILD_ARGUMENT = 'draining-server-child';

if (process.argv[2] === CHILD_ARGUMENT) {
  const server = createServer((request, reply) => {
    request.on('end', () => reply.writeHead(202).end()).resume();
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}
