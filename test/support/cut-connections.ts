import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  url: string;
  /** Number of connections that were cut. */
  nCut(): number;
  close(): Promise<void>;
}

/** Starts a proxy to the server at `url` that cuts a connection instead of passing on a message of the client with one of the `words`. */
export async function cutConnectionsAt(url: string, words: readonly string[]): Promise<CuttingProxy> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let nCut = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    server.pipe(client);
    client.on('data', (bytes) => {
      if (!words.some((word) => bytes.includes(word))) return server.write(bytes);
      nCut += 1;
      end();
    });
  });
  proxy.listen(0, target.hostname);
  await once(proxy, 'listening');
  const { port } = proxy.address() as { port: number };
  const own = new URL(url);
  own.port = `${port}`;
  return {
    url: own.href,
    nCut: () => nCut,
    close: async () => {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
