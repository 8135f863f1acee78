import type { Argv } from 'yargs';
import { type Connection, withServer } from './connect.ts';

/** The command that serves a model's tools over the Model Context Protocol. */
export function mcpCommands(cli: Argv<Connection>): void {
  cli.command(
    'mcp',
    'Serve the datasets to assistants over the Model Context Protocol, on standard input and output',
    (options) =>
      options
        .option('allow-changes', { type: 'boolean', default: false, describe: 'Also offer tools that change datasets' })
        .option('http', { type: 'number', describe: 'Serve over HTTP on this port of this computer instead' }),
    ({ allowChanges, http, ...connection }) =>
      withServer({ ...connection, json: true }, async (vitrine) => {
        const { serveHttp, serveStdio } = await import('../mcp/serve.ts');
        if (http === undefined) await serveStdio(vitrine, { allowChanges });
        else await serveHttp(vitrine.baseUrl, { allowChanges, port: http });
      }),
  );
}
