import { resolve } from 'node:path';
import { sourceWorkers } from '../../src-main/compose/worker-entries.ts';
import { spawnNodeChild } from '../../src-main/infra/local-jobs/spawn-node-child.ts';
import { startService } from '../../src-main/start-service.ts';

/**
 * Serves the core and its API from the sources, without a build and without pages: the process that `npm run dev` restarts after a change.
 * It ends with its parent process.
 */
const [dataFolder = '', port = ''] = process.argv.slice(2);
const service = await startService({
  dataFolder,
  port: Number(port),
  spawnChild: spawnNodeChild,
  workers: sourceWorkers(resolve(import.meta.dirname, '..', '..', 'src-main')),
  rendererFolder: null,
  version: 'dev',
});
const stop = async () => {
  await service.close();
  process.exit(0);
};
for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void stop());
process.send?.(service.baseUrl);
