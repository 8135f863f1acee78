import { pathToFileURL } from 'node:url';
import { serverProgram } from './connect.ts';

/** Commands of the server's own program, which also works on a data folder that no server uses. */
export const SERVER_COMMANDS = [
  { name: 'serve', describe: 'Start a server: --port, --data, --host, --tls-cert, --tls-key' },
  { name: 'check', describe: 'Check all stored data and repair what can be repaired: --data, --json' },
  { name: 'backup', describe: 'Back up everything to a folder: --to, --keep, --verify, --drill' },
  { name: 'restore', describe: 'Restore a data folder from a backup: --from, --backup, --data' },
  { name: 'infer', describe: 'Apply models for other machines: --port, --data, --host, --tls-cert, --tls-key' },
  { name: 'models', describe: 'List models, or install the recommended ones: --recommended, --from' },
] as const;

export function isServerCommand(name: string): boolean {
  return SERVER_COMMANDS.some((command) => command.name === name);
}

/** Runs the server's program in this process, which reads its own options and sets the exit code. */
export async function runServerCommand(args: readonly string[]): Promise<void> {
  const program = serverProgram();
  process.argv.splice(1, process.argv.length, program, ...args);
  await import(pathToFileURL(program).href);
}
