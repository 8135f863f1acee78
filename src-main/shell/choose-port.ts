import { createServer } from 'node:net';

/** Returns the given port if it is free on the loopback address, else 0 (any free port). */
export function portOrAny(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(0);
      else reject(error);
    });
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(port)));
  });
}
