import { AppError } from '../contract/errors.ts';
import { takeIntoWorkspace } from '../core/accounts/primary-workspace.ts';
import type { Core } from '../core/core.ts';
import { createHandlers } from '../core/handlers.ts';
import { Invoker } from '../core/invoke.ts';
import type { ComputePool } from '../core/ports/compute.ts';
import { keepRuntimeQuiet } from '../infra/inference/keep-runtime-quiet.ts';
import { asAppError } from '../infra/sqlite/open-database.ts';
import { composeAccounts } from './accounts.ts';
import { composeDatasets } from './datasets.ts';
import { composeExplore } from './explore.ts';
import { composeExports } from './exports.ts';
import { composeIndexing } from './indexing.ts';
import { composeMetadata } from './metadata.ts';
import { composeModels } from './models.ts';
import { type CoreOptions, composePlatform } from './platform.ts';
import { composeRecovery } from './recovery.ts';
import { composeSettings } from './settings.ts';
import { composeSnapshots } from './snapshots.ts';
import { composeUsers } from './users.ts';
import { composeViews } from './views.ts';

/** What a host needs beside {@link Core}. */
export interface StartedCore extends Core {
  /** Where uploads are spooled; emptied at start. */
  temporaryFolder: string;
  /** What commands prove by that they can read the data folder. */
  commandKey: string;
  /** By which the first administrator is made; undefined where nothing has to be set up. */
  setupToken(): string | undefined;
  compute: Pick<ComputePool, 'status'>;
  /** Web pages elsewhere that may call, as origins. */
  allowedOrigins(): readonly string[];
}

/**
 * The one composition root: everything is built by hand, here and in the parts of `compose`, each of which takes those before it.
 * @throws AppError `unavailable` when a newer version wrote the data folder.
 */
export async function createCore(options: CoreOptions): Promise<StartedCore> {
  keepRuntimeQuiet(process.env);
  const { folder, log } = options;
  try {
    const platform = await composePlatform(options, (dataset, reason) => recovery.damage.noteDamaged(dataset, reason));
    const { events, compute, settings, audit, owner } = platform;
    const accounts = await composeAccounts(options, platform);
    const work = composeDatasets(platform);
    const { datasets, tasks, runner, sharing, audience } = work;
    const models = await composeModels(platform, work);
    const settled = composeSettings(platform, models);
    const explore = composeExplore(platform, work, models);
    const views = composeViews(platform, work, explore);
    const indexing = composeIndexing(platform, work, models, views);
    const { meaning, watching } = indexing.services;
    const { services: described } = composeMetadata(platform, work);
    const snapshots = composeSnapshots(platform, work, indexing, models);
    const exported = composeExports(platform, work, explore);
    const recovery = composeRecovery(platform, work, indexing, models);
    const users = composeUsers(platform, work, accounts);
    const { damage, recordKeeper, catalogKeeper } = recovery;
    const handlers = createHandlers({
      ...{ datasets, tasks, sharing, audit, events, audience, version: options.version },
      ...accounts.services,
      ...models.services,
      ...settled.services,
      ...indexing.services,
      ...explore.services,
      ...views.services,
      ...described,
      ...snapshots.services,
      ...exported.services,
      ...recovery.services,
      ...users.services,
    });
    const invoker = new Invoker(handlers, users.access, settings, log, asAppError);

    await folder.emptyTemporary();
    await recovery.services.recovery.reconcile(platform.origin);
    takeIntoWorkspace(platform.catalog, platform.primaryWorkspaceId);
    await snapshots.orphaned.remove();
    damage.inspectFolders();
    datasets.releaseEnriched();
    await described.metadata.sweep();
    await exported.keeper.sweep();
    recordKeeper.start();
    catalogKeeper.start();
    runner.recover();
    watching.start();
    folder.reserve.setAside();
    events.subscribe(({ name, data }) => {
      if (name === 'dataset_deleted') exported.keeper.forgetDeleted();
      if (name === 'dataset_changed') damage.tellFound(data.dataset_id);
      if (name === 'models_changed' || name === 'dataset_changed') void meaning.beginWanted();
    });
    void meaning.beginWanted();
    const inspecting = new AbortController();
    const inspected = damage.inspectQuickly(inspecting.signal);

    return {
      authenticate: (credentials) => accounts.authenticator.authenticate(credentials),
      isSignedIn: (principal) => accounts.authenticator.isSignedIn(principal),
      commandKey: accounts.commands.text,
      setupToken: () => accounts.setup.token,
      invoke: (operationId, input, context) => invoker.invoke(operationId, input, context),
      subscribe: (listener) => events.subscribe(listener),
      mayHear: (principal, event) => audience.includes(principal, event),
      localOwner: () => owner,
      temporaryFolder: folder.temporary,
      compute,
      allowedOrigins: () => settings.allowedOrigins(),
      close: async () => {
        inspecting.abort();
        await inspected;
        await watching.close();
        await runner.close();
        models.store.close();
        await compute.close();
        await platform.comparer.close();
        await platform.stores.close();
        platform.sources.close();
        await recordKeeper.flush();
        await catalogKeeper.close();
        platform.catalog.close();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error instanceof AppError ? error : asAppError(error);
  }
}
