import { createCore } from './compose/create-core.ts';
import type { WorkerEntries } from './compose/worker-entries.ts';
import { readServiceMode } from './core/accounts/service-mode.ts';
import type { Core } from './core/core.ts';
import type { SpawnChild } from './core/ports/child-process.ts';
import type { Log } from './core/ports/log.ts';
import type { KeyWrap } from './core/ports/secret-box.ts';
import { LOOPBACK, type NetworkOptions, readNetwork } from './http/network.ts';
import { startHttpServer } from './http/server.ts';
import { type DataFolder, openDataFolder, type ServerAddress } from './infra/data-folder.ts';
import { createLog } from './infra/log.ts';
import { findResources } from './infra/resources.ts';

export interface ServiceOptions {
  dataFolder: string;
  /** 0 picks a free port. */
  port: number;
  /** Creates the function that starts child processes: forks under Node, utility processes under Electron. */
  spawnChild: (log: Log) => SpawnChild;
  /** Programs that run in threads and processes of their own. */
  workers: WorkerEntries;
  /** Folder of the built renderer; null serves only the API. */
  rendererFolder: string | null;
  version: string;
  /** Address and names on the network (default: this machine only). */
  network?: NetworkOptions;
  keyWrap?: KeyWrap;
  /** See {@link CoreOptions.isPassive}. */
  isPassive?: boolean;
}

export interface Service {
  core: Core;
  /** Address for programs on this machine, such as `http://127.0.0.1:2080`. */
  baseUrl: string;
  /** Address to show to people on other machines. */
  shownUrl: string;
  /** Address of the page that creates the first administrator; null if there is one or none is needed. */
  setupUrl: string | null;
  /** Folder for uploads in progress. */
  temporaryFolder: string;
  close(): Promise<void>;
}

/** On a full disk the address file cannot be written: commands do not find the server, but it serves. */
function announce(folder: DataFolder, address: ServerAddress, log: Log): void {
  try {
    folder.announce(address);
  } catch (error) {
    log.warn({ err: error }, 'the address of the server could not be written');
  }
}

/**
 * Starts the core and its HTTP server for every host.
 * @throws AppError `unavailable` when the data folder or the port is in use, or a newer version wrote the folder.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { authentication } = readServiceMode(process.env);
  const network = options.network ? readNetwork(options.network, process.env, authentication) : LOOPBACK;
  const folder = openDataFolder(options.dataFolder);
  const log = createLog(folder.root);
  const core = await createCore({
    folder,
    entries: options.workers,
    resourcesFolder: findResources(),
    spawnChild: options.spawnChild(log),
    version: options.version,
    environment: process.env,
    ...(options.keyWrap && { keyWrap: options.keyWrap }),
    ...(options.isPassive && { isPassive: true }),
    log,
    setLogLevel: (level) => log.setLevel(level),
  });
  try {
    const server = await startHttpServer({
      core,
      log,
      port: options.port,
      temporaryFolder: core.temporaryFolder,
      rendererFolder: options.rendererFolder,
      network,
      allowedOrigins: () => core.allowedOrigins(),
      embedOrigins: () => core.embedOrigins(),
      metrics: core.metrics,
    });
    const setupToken = core.setupToken();
    const certificate = network.tls?.cert ?? null;
    announce(folder, { base_url: server.baseUrl, key: core.commandKey, certificate }, log);
    log.info({ base_url: server.baseUrl, version: options.version }, 'listening');
    return {
      core,
      baseUrl: server.baseUrl,
      shownUrl: server.shownUrl,
      setupUrl: setupToken === undefined ? null : `${server.shownUrl}/#/setup?token=${setupToken}`,
      temporaryFolder: core.temporaryFolder,
      close: async () => {
        await server.close();
        await core.close();
      },
    };
  } catch (error) {
    await core.close();
    throw error;
  }
}
