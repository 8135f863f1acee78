import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Counts connections that this process opens until the test ends, including those of `fetch`. */
export function countSockets(): () => number {
  let opened = 0;
  const count = () => {
    opened += 1;
  };
  subscribe('net.client.socket', count);
  onTestFinished(() => {
    unsubscribe('net.client.socket', count);
  });
  return () => opened;
}

/** Requests a local address at which no server listens. */
export async function knockInVain(): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  await fetch(`http://127.0.0.1:${address.port}`).catch(() => undefined);
}
