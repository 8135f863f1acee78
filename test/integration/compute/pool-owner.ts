import type { Log } from '../../../src-main/core/ports/log.ts';
import { createComputePool } from '../../../src-main/infra/compute/compute-pool.ts';
import { spawnNodeChild } from '../../../src-main/infra/compute/spawn-node-child.ts';
import { commandedEncoder } from './commanded-encoder.ts';

/** A program that owns a pool and waits to be killed. Arguments: compute worker, journal, what the only item does. */
const [entryFile = '', journal = '', command = ''] = process.argv.slice(2);
const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};
const pool = createComputePool({ size: 1, entryFile, spawn: spawnNodeChild(quiet), log: quiet });
await pool.describeImages([{ key: 0, path: command }], { looks: commandedEncoder(journal) });
setInterval(() => undefined, 1000);
