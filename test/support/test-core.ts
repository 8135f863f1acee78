import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCore, type StartedCore } from '../../src-main/compose/create-core.ts';
import type { CoreOptions } from '../../src-main/compose/platform.ts';
import { builtWorkers, sourceWorkers } from '../../src-main/compose/worker-entries.ts';
import type { Arguments, OperationId, Result } from '../../src-main/contract/contract.ts';
import type { Principal } from '../../src-main/core/core.ts';
import type { Clock } from '../../src-main/core/ports/clock.ts';
import type { Log, LogLevel } from '../../src-main/core/ports/log.ts';
import { openDataFolder } from '../../src-main/infra/data-folder.ts';
import type { LocalModels } from '../../src-main/infra/inference/local-models.ts';
import type { TestCompute } from './compute.ts';
import { type InProcessCompute, inProcessCompute } from './in-process-compute.ts';
import { callBy } from './principals.ts';
import { repository } from './server.ts';
import { silentLog } from './silent-log.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Threads of the projects that need a build anyway run what was built: a thread starts in half the CPU time. Unit tests need no build and run
 * the sources.
 */
export const WORKERS =
  process.env.VITRINE_TEST_WORKERS === 'built'
    ? builtWorkers(join(repository, 'out', 'main'))
    : sourceWorkers(join(repository, 'src-main'));

export interface TestCore {
  core: StartedCore;
  /** Calls an operation, by default as the local owner. */
  call<Id extends OperationId>(id: Id, input: Arguments<Id>, principal?: Principal): Promise<Result<Id>>;
  data: string;
  /** Not used if the options gave another. */
  compute: InProcessCompute;
  /** Shuts the core down as an orderly quit does. May be called more than once. */
  close(): Promise<void>;
}

export interface TestCoreOptions {
  data?: string;
  /** By default one that starts no processes. */
  compute?: TestCompute;
  /** The models that it runs. */
  localModels?: LocalModels;
  environment?: Record<string, string>;
  log?: Log;
  setLogLevel?: (level: LogLevel) => void;
  clock?: Clock;
}

/** Options of a core on a data folder. */
export function testCoreOptions(data: string, compute: TestCompute, options: TestCoreOptions = {}): CoreOptions {
  return {
    folder: openDataFolder(data),
    entries: WORKERS,
    resourcesFolder: join(repository, 'resources'),
    spawnChild: () => {
      throw new Error('nothing is spawned in a test of the core');
    },
    compute: { ...compute, inference: compute, localJobs: compute },
    ...(options.localModels && { localModels: options.localModels }),
    ...(options.clock && { clock: options.clock }),
    version: 'test',
    environment: options.environment ?? {},
    log: options.log ?? silentLog,
    setLogLevel: options.setLogLevel ?? (() => undefined),
  };
}

/**
 * Starts a core in this process: real SQLite and real store threads on a temporary folder. The core is closed when the test ends, or when
 * the cleanups of `finished` run.
 */
export async function createTestCore(
  options: TestCoreOptions & { finished?: (cleanUp: () => Promise<void>) => void } = {},
): Promise<TestCore> {
  const { finished = onTestFinished } = options;
  const data = options.data ?? (await temporaryFolder(finished));
  const compute = inProcessCompute();
  const core = await createCore(testCoreOptions(data, options.compute ?? compute, options));
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= core.close();
    return closed;
  };
  finished(close);
  return {
    core,
    call: async <Id extends OperationId>(id: Id, input: Arguments<Id>, principal = core.localOwner()) =>
      (await core.invoke(id, input, callBy(principal))) as Result<Id>,
    data,
    compute,
    close,
  };
}
