import type { FastifyInstance } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import { addressesOf, type Network } from './network.ts';

/**
 * @param port 0 picks a free port.
 * @returns The server's address for programs on this machine, and the one to show to people.
 * @throws AppError `unavailable` when the port is taken or the host is no address of this machine.
 */
export async function listen(
  server: FastifyInstance,
  network: Network,
  port: number,
): Promise<{ local: string; shown: string }> {
  try {
    await server.listen({ host: network.host, port });
  } catch (error) {
    await server.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new AppError('unavailable', message('port_in_use', { port }));
    }
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')) {
      throw new AppError('unavailable', message('host_not_local', { host: network.host }));
    }
    throw error;
  }
  const address = server.server.address();
  return addressesOf(network, typeof address === 'object' && address !== null ? address.port : port);
}

/** Accepts no more connections, lets running requests finish within the time, and then ends those that have not. */
export async function drain(server: FastifyInstance, drainMs: number): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), drainMs);
  try {
    await server.close();
  } finally {
    clearTimeout(timer);
  }
}
