import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from './commands/back-up.ts';
import { type Caller, callerOf, callerOver } from './commands/caller.ts';
import { checkData } from './commands/check.ts';
import { drillBackup, readDataState } from './commands/drill-backup.ts';
import { installRecommended, listModels } from './commands/models.ts';
import { restore } from './commands/restore.ts';
import { verify } from './commands/verify-backups.ts';
import { builtWorkers } from './compose/worker-entries.ts';
import { AppError } from './contract/errors.ts';
import { message } from './contract/messages.ts';
import { addressOf } from './infra/data-folder.ts';
import { defaultDataFolder } from './infra/default-data-folder.ts';
import { spawnNodeChild } from './infra/local-jobs/spawn-node-child.ts';
import { type Service, type ServiceOptions, startService } from './start-service.ts';

const DEFAULT_PORT = 2080;
const COMMANDS = ['serve', 'check', 'backup', 'restore', 'models', 'infer'] as const;
type Command = (typeof COMMANDS)[number];

type Options = ReturnType<typeof readArguments>;

/** The same core and pages without a window: for servers, tests and machines without a display. */
async function main(): Promise<void> {
  const options = readArguments();
  const { command, data, to, from, keep, backup, verifies, drills, json } = options;
  if (command === 'restore') {
    if (from === undefined) throw new AppError('invalid_request', message('option_from_missing'));
    process.exitCode = await restore({ from, backup_id: backup, to: data }, console.log);
  } else if (command === 'backup' && verifies) {
    if (to === undefined) throw new AppError('invalid_request', message('option_to_missing'));
    process.exitCode = drills ? await drill(options, to) : await verify({ from: to, backup_id: backup }, console.log);
  } else if (command === 'check') {
    process.exitCode = await withCore(options, (call) => checkData(call, { json }, console.log));
  } else if (command === 'models') {
    process.exitCode = await withCore(options, (call) =>
      options.recommended ? installRecommended(call, { from }, console.log) : listModels(call, { json }, console.log),
    );
  } else if (command === 'infer') {
    const { startInferenceHost } = await import('./start-inference-host.ts');
    const host = await startInferenceHost({ ...serviceOptions(data), port: options.port, network: options.network });
    stopOnSignal(host);
    console.log(`vitrine listening on ${host.shownUrl}`);
  } else if (command === 'backup') {
    process.exitCode = await withCore(options, (call) => backUp(call, { to, keep }, console.log));
  } else {
    const service = await start(options, options.port);
    console.log(`vitrine listening on ${service.shownUrl}`);
    console.log(`Data folder: ${data}`);
    if (service.setupUrl !== null) console.log(`Create the first administrator: ${service.setupUrl}`);
  }
}

/** Compares a backup, restored into a temporary folder, with the data folder if there is one. */
async function drill(options: Options, from: string): Promise<number> {
  const { data, backup, json } = options;
  const source = existsSync(join(data, 'catalog.db')) ? await withCore(options, readDataState) : undefined;
  const start = (dataFolder: string) => startService({ ...serviceOptions(dataFolder), port: 0, isPassive: true });
  return drillBackup({ from, backup_id: backup, json, source, start }, console.log);
}

/** Runs a command with its own core if the folder is unused, else through the server that uses it. */
async function withCore<T>(options: Options, work: (call: Caller) => Promise<T>): Promise<T> {
  let service: Service;
  try {
    service = await start({ data: options.data }, 0);
  } catch (error) {
    const address = addressOf(options.data);
    if (!(error instanceof AppError) || error.code !== 'unavailable' || address === undefined) throw error;
    return work(callerOver(address));
  }
  try {
    return await work(callerOf(service.core));
  } finally {
    await service.close();
  }
}

async function start(
  { data, network }: Pick<Options, 'data'> & Partial<Pick<Options, 'network'>>,
  port: number,
): Promise<Service> {
  const rendererFolder = join(import.meta.dirname, '..', 'renderer');
  const service = await startService({
    ...serviceOptions(data),
    port,
    ...(network && { network }),
    rendererFolder: existsSync(rendererFolder) ? rendererFolder : null,
  });
  stopOnSignal(service);
  return service;
}

function serviceOptions(dataFolder: string): Omit<ServiceOptions, 'port'> {
  const entryFolder = import.meta.dirname;
  const manifest = JSON.parse(readFileSync(join(entryFolder, '..', '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    dataFolder,
    spawnChild: spawnNodeChild,
    workers: builtWorkers(entryFolder),
    rendererFolder: null,
    version: manifest.version,
  };
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      to: { type: 'string' },
      keep: { type: 'string' },
      from: { type: 'string' },
      backup: { type: 'string' },
      verify: { type: 'boolean' },
      drill: { type: 'boolean' },
      json: { type: 'boolean' },
      recommended: { type: 'boolean' },
      host: { type: 'string' },
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
    },
    allowPositionals: true,
    strict: true,
  });
  const [named = 'serve', ...others] = positionals;
  const command: Command | undefined = COMMANDS.find((known) => known === named);
  if (command === undefined || others.length > 0) {
    throw new AppError(
      'invalid_request',
      message('command_unknown', { command: positionals.join(' '), commands: COMMANDS.join(', ') }),
    );
  }
  return {
    command,
    to: values.to,
    from: values.from,
    backup: values.backup,
    verifies: values.verify === true || values.drill === true,
    drills: values.drill === true,
    json: values.json === true,
    recommended: values.recommended === true,
    network: { host: values.host, tlsCert: values['tls-cert'], tlsKey: values['tls-key'] },
    port: numberOf('--port', values.port, { from: 0, to: 65_535 }) ?? DEFAULT_PORT,
    keep: numberOf('--keep', values.keep, { from: 1, to: 10_000 }),
    data: resolve(values.data ?? process.env.VITRINE_DATA ?? defaultDataFolder(process.platform, process.env)),
  };
}

function numberOf(name: string, text: string | undefined, range: { from: number; to: number }): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < range.from || value > range.to)
    throw new AppError(
      'invalid_request',
      message('option_out_of_range', { option: name, from: range.from, to: range.to }),
    );
  return value;
}

function stopOnSignal(service: Pick<Service, 'close'>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await service.close();
    process.exit(0);
  };
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
