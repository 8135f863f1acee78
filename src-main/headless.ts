import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkData } from './check-data.ts';
import { AppError } from './contract/errors.ts';
import { spawnNodeChild } from './infra/compute/spawn-node-child.ts';
import { defaultDataFolder } from './infra/data-folder.ts';
import { type Service, startService } from './start-service.ts';

const DEFAULT_PORT = 2080;

/** The same core and the same pages without a window: for servers, tests and machines that have no display. */
async function main(): Promise<void> {
  const { port, data, check } = readArguments();
  const entryFolder = import.meta.dirname;
  const rendererFolder = join(entryFolder, '..', 'renderer');
  const manifest = JSON.parse(readFileSync(join(entryFolder, '..', '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const service = await startService({
    dataFolder: data,
    // Nobody else asks while the folder is checked.
    port: check ? 0 : port,
    spawnChild: spawnNodeChild,
    entryFolder,
    rendererFolder: existsSync(rendererFolder) ? rendererFolder : null,
    version: manifest.version,
  });
  stopOnSignal(service);
  if (check) {
    process.exitCode = await checkData(service.core, console.log);
    await service.close();
    return;
  }
  console.log(`vitrine listening on ${service.baseUrl}`);
}

function readArguments(): { port: number; data: string; check: boolean } {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, data: { type: 'string' }, check: { type: 'boolean', default: false } },
    strict: true,
  });
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new AppError('invalid_request', '--port takes a number from 0 to 65535');
  return {
    port,
    check: values.check,
    data: resolve(values.data ?? process.env.VITRINE_DATA ?? defaultDataFolder(process.platform, process.env)),
  };
}

function stopOnSignal(service: Service): void {
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
