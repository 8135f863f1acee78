import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from './core/core.ts';
import { createCore } from './core/create-core.ts';
import type { SpawnChild } from './core/ports/compute.ts';
import type { Log } from './core/ports/log.ts';
import { startHttpServer } from './http/server.ts';
import { openDataFolder } from './infra/data-folder.ts';
import { createLog } from './infra/log.ts';

export interface ServiceOptions {
  data_folder: string;
  /** 0 picks a free one. */
  port: number;
  /** Makes what starts child processes here: forks under Node, utility processes under Electron. */
  spawn_child: (log: Log) => SpawnChild;
  /** Folder of the built main process, with its workers. */
  entry_folder: string;
  /** Folder of the built renderer; null serves the API alone. */
  renderer_folder: string | null;
  version: string;
}

export interface Service {
  core: Core;
  /** The address that answers, such as `http://127.0.0.1:2080`. */
  base_url: string;
  close(): Promise<void>;
}

/**
 * The core and its HTTP server, as every host starts them.
 * @throws AppError `unavailable` when the data folder or the port is in use, or a newer version wrote the folder.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const folder = openDataFolder(options.data_folder);
  const log = createLog(folder.root, process.env.VITRINE_LOG_LEVEL ?? 'info');
  const core = await createCore({
    folder,
    entries: {
      compute: join(options.entry_folder, 'compute.worker.js'),
      dataset_store: join(options.entry_folder, 'dataset-store.worker.js'),
      parquet: join(options.entry_folder, 'parquet.worker.js'),
      watch: join(options.entry_folder, 'watch.worker.js'),
    },
    resources_folder: findResources(options.entry_folder),
    spawn_child: options.spawn_child(log),
    ...(process.env.VITRINE_COMPUTE_PROCESSES
      ? { compute_processes: Number(process.env.VITRINE_COMPUTE_PROCESSES) }
      : {}),
    version: options.version,
    environment: process.env,
    log,
  });
  try {
    const server = await startHttpServer({
      core,
      log,
      port: options.port,
      temporary_folder: core.temporary_folder,
      renderer_folder: options.renderer_folder,
    });
    log.info({ base_url: server.base_url, version: options.version }, 'listening');
    return {
      core,
      base_url: server.base_url,
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

/** `resources/` lies beside `out/` in a checkout, and beside the app's archive in an installed app. */
function findResources(entry_folder: string): string {
  const beside_build = join(entry_folder, '..', '..', 'resources');
  return existsSync(join(beside_build, 'models')) ? beside_build : (process.resourcesPath ?? beside_build);
}
