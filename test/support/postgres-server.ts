import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

export interface PostgresServer {
  url: string;
  db: PGlite;
  /** Ends the server and its data. */
  close(): Promise<void>;
}

/** Starts PostgreSQL with pgvector, compiled to WebAssembly, in this process, on a free port of the loopback interface. */
export async function startPostgres(): Promise<PostgresServer> {
  const db = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 50 });
  await server.start();
  const address = server.getServerConn();
  return {
    url: `postgresql://postgres@${address}/postgres?sslmode=disable`,
    db,
    close: async () => {
      await server.stop();
      await db.close();
    },
  };
}
