import { spawnNodeChild } from '../../src-main/infra/local-jobs/spawn-node-child.ts';
import { type TestCompute, testCompute } from './compute.ts';
import { silentLog } from './silent-log.ts';
import { WORKERS } from './test-core.ts';

let shared: TestCompute | undefined;

/**
 * Returns real compute processes that all test files of a process share, because the start of a server with such processes takes more CPU
 * time than most tests. They run the models of `localModels`, and end with this process.
 */
export function sharedCompute(): TestCompute {
  shared ??= testCompute({ size: 1, entryFile: WORKERS.compute, spawn: spawnNodeChild(silentLog), log: silentLog });
  return { ...shared, close: () => Promise.resolve() };
}
