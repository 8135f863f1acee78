import { composeAccounts } from './accounts.ts';
import { composeDatasets } from './datasets.ts';
import { composeExplore } from './explore.ts';
import { composeExports } from './exports.ts';
import { composeIndexing } from './indexing.ts';
import { composeMetadata } from './metadata.ts';
import { composeModels } from './models.ts';
import { type CoreOptions, composePlatform } from './platform.ts';
import { composeRay } from './ray.ts';
import { composeRecovery } from './recovery.ts';
import { composeSettings } from './settings.ts';
import { composeSnapshots } from './snapshots.ts';
import { composeUsers } from './users.ts';
import { composeViews } from './views.ts';

/** Services of all subjects, connected to each other and not yet started. */
export type CoreParts = Awaited<ReturnType<typeof composeCoreParts>>;

/**
 * Builds all services by hand; each subject takes those that are built before it.
 * @throws AppError `unavailable` when a newer version wrote the data folder.
 */
export async function composeCoreParts(options: CoreOptions) {
  const platform = await composePlatform(options);
  const accounts = await composeAccounts(options, platform);
  const datasets = composeDatasets(platform);
  const models = await composeModels(platform, datasets);
  const settings = composeSettings(platform, models);
  const explore = composeExplore(platform, datasets, models);
  const views = composeViews(platform, accounts, datasets, explore);
  const indexing = composeIndexing(platform, datasets, models, views);
  const metadata = composeMetadata(platform, datasets);
  const snapshots = composeSnapshots(platform, datasets, indexing, models);
  const exports = composeExports(platform, datasets, explore);
  const ray = composeRay(platform, datasets, models, indexing, explore, exports);
  const recovery = composeRecovery(platform, datasets, indexing, models, accounts);
  const users = composeUsers(platform, datasets, accounts);
  return {
    ...{ platform, accounts, datasets, models, settings, explore, views },
    ...{ indexing, metadata, snapshots, exports, ray, recovery, users },
  };
}
