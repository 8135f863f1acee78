#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { VitrineError } from '../typescript/index.ts';
import { clusterCommands } from './cluster-commands.ts';
import { programVersion } from './connect.ts';
import { datasetCommands } from './dataset-commands.ts';
import { exportCommands } from './export-commands.ts';
import { indexCommands } from './index-commands.ts';
import { mcpCommands } from './mcp-commands.ts';
import { searchCommands } from './search-commands.ts';
import { isServerCommand, runServerCommand, SERVER_COMMANDS } from './server-commands.ts';

/** The command `vitrine`. */
async function main(args: string[]): Promise<void> {
  const [command] = args;
  // These commands have options of their own, which the server's program reads.
  if (command !== undefined && isServerCommand(command)) return runServerCommand(args);
  const cli = yargs(args)
    .scriptName('vitrine')
    .version(programVersion())
    .usage('Datasets of images and videos that you can see, search, clean, version and share.\n\nvitrine <command>')
    .option('json', { type: 'boolean', default: false, describe: 'Print one JSON value instead of text', global: true })
    .option('data', { type: 'string', describe: 'Data folder of the server on this computer', global: true })
    .option('url', {
      type: 'string',
      describe: 'Address of another server; VITRINE_API_KEY and VITRINE_API_SECRET sign in',
      global: true,
    });
  for (const { name, describe } of SERVER_COMMANDS) cli.command(name, describe, {}, () => runServerCommand(args));
  for (const add of [datasetCommands, indexCommands, searchCommands, exportCommands, clusterCommands, mcpCommands])
    add(cli);
  await cli
    .completion('completion', 'Print a script that completes commands in bash or zsh')
    .demandCommand(1, 'Name a command')
    .strict()
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .fail((message, error, parser) => {
      // Mistakes in the options get the usage, failures of the work do not.
      if (error) throw error;
      process.stderr.write(`${parser.help()}\n\n${message}\n`);
      process.exitCode = 2;
    })
    .parseAsync();
}

main(hideBin(process.argv)).catch((error: unknown) => {
  if (!(error instanceof VitrineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
