import { AppError } from '../contract/errors.ts';
import { keepRuntimeQuiet } from '../infra/models/keep-runtime-quiet.ts';
import { asAppError } from '../infra/sqlite/open-database.ts';
import { takeIntoWorkspace } from './accounts/primary-workspace.ts';
import { composeAccounts } from './compose/accounts.ts';
import { composeDatasets } from './compose/datasets.ts';
import { composeExplore } from './compose/explore.ts';
import { composeExports } from './compose/exports.ts';
import { composeIndexing } from './compose/indexing.ts';
import { composeMetadata } from './compose/metadata.ts';
import { composeModels } from './compose/models.ts';
import { type CoreOptions, composePlatform } from './compose/platform.ts';
import { composeRecovery } from './compose/recovery.ts';
import { composeSettings } from './compose/settings.ts';
import { composeSnapshots } from './compose/snapshots.ts';
import { composeUsers } from './compose/users.ts';
import { composeViews } from './compose/views.ts';
import type { Core } from './core.ts';
import { createHandlers } from './handlers.ts';
import { Invoker } from './invoke.ts';
import type { ComputePool } from './ports/compute.ts';

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
