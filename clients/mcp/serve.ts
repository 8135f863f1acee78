import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type Credentials, Vitrine } from '../typescript/index.ts';
import { addChangingTools } from './changing-tools.ts';
import { addPrompts } from './prompts.ts';
import { addReadingTools } from './reading-tools.ts';
import { toolRegistry } from './tool.ts';

export interface McpOptions {
  /** Whether tools that change datasets are offered. */
  allowChanges: boolean;
}

const INSTRUCTIONS =
  'Vitrine manages datasets of images and videos. Start with list_datasets and describe_dataset. find lists items; look shows them. Edits can be undone; files are never deleted.';

/** An MCP server with the rights of the client's credentials. */
export function createMcpServer(vitrine: Vitrine, { allowChanges }: McpOptions): McpServer {
  const server = new McpServer({ name: 'vitrine', version: '0.1.0' }, { instructions: INSTRUCTIONS });
  addReadingTools(toolRegistry(server, vitrine, { readOnlyHint: true }));
  if (allowChanges) addChangingTools(toolRegistry(server, vitrine, { readOnlyHint: false, destructiveHint: false }));
  addPrompts(server);
  return server;
}

/** Serves on standard input and output until the input ends. */
export async function serveStdio(vitrine: Vitrine, options: McpOptions): Promise<void> {
  const server = createMcpServer(vitrine, options);
  await server.connect(new StdioServerTransport());
  await once(process.stdin, 'close');
}

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Serves streamable HTTP at `/mcp` of this computer until a signal arrives. Each request has the rights of its own credentials, which are
 * passed on: an API key and secret by basic authentication, or a bearer token. Requests of web pages are refused.
 */
export async function serveHttp(baseUrl: string, { port, ...options }: McpOptions & { port: number }): Promise<void> {
  const http = createServer((request, response) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      response.writeHead(refusal).end();
      return;
    }
    answer(request, response, new Vitrine({ baseUrl, credentials: credentialsOf(request) }), options).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (typeof address === 'object') process.stderr.write(`MCP server at http://127.0.0.1:${address?.port}/mcp\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  http.closeAllConnections();
  http.close();
}

function refusalOf({ url, headers }: IncomingMessage): number | undefined {
  if (url?.split('?')[0] !== '/mcp') return 404;
  // A page of any site could send requests to this computer, also by a name of its own.
  const isLocal = LOCAL_NAMES.has((headers.host ?? '').replace(/:\d+$/, ''));
  return isLocal && headers.origin === undefined ? undefined : 403;
}

/** Answers one request. The server keeps no sessions, so nothing is held between requests. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  vitrine: Vitrine,
  options: McpOptions,
): Promise<void> {
  const server = createMcpServer(vitrine, options);
  const transport = new StreamableHTTPServerTransport();
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function credentialsOf({ headers }: IncomingMessage): Credentials {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() === 'bearer') return { token: value };
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const [apiKey = '', apiSecret = ''] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return { apiKey, apiSecret };
}
