import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Vitrine } from '../typescript/index.ts';
import { openLocal } from '../typescript/local.ts';
import { say } from './output.ts';

/** Options of every command that uses a server. */
export interface Connection {
  json: boolean;
  data?: string | undefined;
  url?: string | undefined;
}

/** The server's program, which is built beside this one. */
export function serverProgram(): string {
  return join(import.meta.dirname, 'headless.js');
}

export function programVersion(): string {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

/**
 * Runs a command with the server that `--url` names, else with the one that uses the data folder. If there is none, a server is started
 * for the time of the command.
 */
export async function withServer<T>(options: Connection, work: (vitrine: Vitrine) => Promise<T>): Promise<T> {
  const url = options.url ?? process.env.VITRINE_URL;
  if (url !== undefined) {
    const { VITRINE_API_KEY: apiKey, VITRINE_API_SECRET: apiSecret } = process.env;
    const credentials = apiKey !== undefined && apiSecret !== undefined ? { apiKey, apiSecret } : undefined;
    return work(new Vitrine({ baseUrl: url, credentials }));
  }
  const command = [process.execPath, serverProgram(), 'serve'];
  await using local = await openLocal({ command, ...(options.data !== undefined && { data: options.data }) });
  if (local.isStarted && !options.json) say('Started a server for this command.');
  return await work(local.vitrine);
}
