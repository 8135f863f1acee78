import type { Core, MetricsSource } from '../core/core.ts';
import { type Handlers, joinHandlers } from '../core/handlers.ts';
import { Invoker } from '../core/invoke.ts';
import { SystemService } from '../core/system.service.ts';
import { keepRuntimeQuiet } from '../infra/inference/keep-runtime-quiet.ts';
import type { Compute } from '../infra/local-jobs/create-compute.ts';
import { asAppError } from '../infra/sqlite/open-database.ts';
import { type CoreParts, composeCoreParts } from './core-parts.ts';
import { shutdownSteps, startUpSteps } from './core-steps.ts';
import type { CoreOptions } from './platform.ts';
import { runAllSteps, runSteps } from './run-steps.ts';

/** A started core, with the data that a host needs in addition to {@link Core}. */
export interface StartedCore extends Core {
  /** Folder for uploads in progress; emptied at start. */
  temporaryFolder: string;
  /** Secret that proves that a command can read the data folder. */
  commandKey: string;
  /** Returns the token that creates the first administrator; undefined once an administrator exists, or if authentication is off. */
  setupToken(): string | undefined;
  compute: Pick<Compute, 'status'>;
  metrics: MetricsSource;
  /** Returns the origins of other web pages that may call the API. */
  allowedOrigins(): readonly string[];
  /** Returns the origins of web pages that may show the app in a frame. */
  embedOrigins(): readonly string[];
}

/**
 * Composes and starts the core. If the start fails, everything that was opened is closed.
 * @throws AppError `unavailable` when a newer version wrote the data folder.
 */
export async function createCore(options: CoreOptions): Promise<StartedCore> {
  keepRuntimeQuiet(process.env);
  let parts: CoreParts;
  try {
    parts = await composeCoreParts(options);
  } catch (error) {
    options.folder.release();
    throw asAppError(error);
  }
  return startCore(parts);
}

/** Starts a composed core: runs the start-up steps in order. If a step fails, everything that is open is shut down. */
export async function startCore(parts: CoreParts): Promise<StartedCore> {
  const { platform, accounts, datasets } = parts;
  const { events, log, folder, owner } = platform;
  const invoker = createInvoker(parts);
  const close = () => runAllSteps('shutdown', shutdownSteps(parts), log);
  try {
    await runSteps('start-up', startUpSteps(parts), log);
  } catch (error) {
    await close().catch(() => undefined);
    throw asAppError(error);
  }
  return {
    authenticate: (credentials) => accounts.authenticator.authenticate(credentials),
    isSignedIn: (principal) => accounts.authenticator.isSignedIn(principal),
    commandKey: accounts.commands.text,
    setupToken: () => accounts.setup.token,
    invoke: (operationId, input, context) => invoker.invoke(operationId, input, context),
    subscribe: (listener) => events.subscribe(listener),
    mayHear: (principal, event) => datasets.audience.includes(principal, event),
    localOwner: () => owner,
    temporaryFolder: folder.temporary,
    compute: platform.compute,
    metrics: metricsOf(parts),
    allowedOrigins: () => platform.settings.allowedOrigins(),
    embedOrigins: () => platform.settings.embedOrigins(),
    close,
  };
}

function metricsOf({ platform, datasets }: CoreParts): MetricsSource {
  return {
    key: () => platform.settings.get('METRICS_KEY'),
    read: () => {
      const { pids, deaths } = platform.compute.status();
      const compute = { processes: pids.length, deaths };
      return { tasks: datasets.taskRows.countByStatus(), datasets: datasets.datasets.countByStatus(), compute };
    },
  };
}

function createInvoker({ platform, datasets, users, ...subjects }: CoreParts): Invoker {
  const { audit, events, settings, log, version } = platform;
  const handlers: Handlers = joinHandlers([
    new SystemService({ catalog: platform.catalog, events, audience: datasets.audience, version }),
    audit,
    ...Object.values(datasets.services),
    ...Object.values(subjects.accounts.services),
    ...Object.values(subjects.models.services),
    ...Object.values(subjects.settings.services),
    ...Object.values(subjects.indexing.services),
    ...Object.values(subjects.explore.services),
    ...Object.values(subjects.views.services),
    ...Object.values(subjects.metadata.services),
    ...Object.values(subjects.snapshots.services),
    ...Object.values(subjects.exports.services),
    ...Object.values(subjects.ray.services),
    ...Object.values(subjects.recovery.services),
    ...Object.values(users.services),
  ]);
  return new Invoker(handlers, users.access, settings, log, () => platform.claims.claim(), asAppError);
}
