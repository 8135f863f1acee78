import { composeInferenceHost } from './compose/inference-host.ts';
import { AppError } from './contract/errors.ts';
import { message } from './contract/messages.ts';
import { startInferenceServer } from './http/inference-server.ts';
import { type NetworkOptions, readNetwork } from './http/network.ts';
import { createErrorLog } from './infra/log.ts';
import { findResources } from './infra/resources.ts';
import type { ServiceOptions } from './start-service.ts';

type Options = Pick<ServiceOptions, 'dataFolder' | 'port' | 'spawnChild' | 'workers' | 'version'> & {
  network: NetworkOptions;
};

/**
 * Starts an inference host: it applies the models of a data folder to images that callers send, and keeps nothing.
 * @throws AppError `invalid_request` without INFERENCE_SECRET, `unavailable` when the port is in use.
 */
export async function startInferenceHost({ dataFolder, port, spawnChild, workers, version, network }: Options) {
  const secret = process.env.INFERENCE_SECRET || process.env.VITRINE_INFERENCE_SECRET || '';
  if (secret === '') throw new AppError('invalid_request', message('inference_secret_missing'));
  const log = createErrorLog();
  const { host, ...composed } = await composeInferenceHost({
    dataFolder,
    computeEntry: workers.compute,
    resourcesFolder: findResources(),
    spawnChild: spawnChild(log),
    version,
    environment: process.env,
    log,
  });
  try {
    // Callers prove that they know the secret, so the host may listen on any address.
    const opened = readNetwork(network, process.env, true);
    const server = await startInferenceServer({
      ...{ host, secret, version, port, log },
      processes: composed.processes,
      network: opened,
    });
    return {
      shownUrl: server.shownUrl,
      close: async () => {
        await server.close();
        await composed.close();
      },
    };
  } catch (error) {
    await composed.close();
    throw error;
  }
}
