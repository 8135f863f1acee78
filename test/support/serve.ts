import { onTestFinished } from 'vitest';
import { Api } from './api.ts';
import { type Server, startServer } from './server.ts';

/** Starts a server that is stopped when the test ends, in whatever state the server is then. */
export async function serve(
  dataFolder: string,
  environment: Record<string, string> = {},
): Promise<{ server: Server; api: Api }> {
  const server = await startServer(dataFolder, environment);
  onTestFinished(() => {
    server.process.kill('SIGKILL');
  });
  return { server, api: new Api(server.baseUrl) };
}
