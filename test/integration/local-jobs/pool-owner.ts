import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { testCompute } from '../../support/compute.ts';
import { silentLog } from '../../support/silent-log.ts';
import { commandedEncoder } from './commanded-encoder.ts';

/** A program that owns a pool and waits to be killed. Arguments: compute worker, journal, command for the only item. */
const [entryFile = '', journal = '', command = ''] = process.argv.slice(2);
const pool = testCompute({ size: 1, entryFile, spawn: spawnNodeChild(silentLog), log: silentLog });
await pool.describeImages([{ key: 0, path: command }], { looks: commandedEncoder(journal) });
setInterval(() => undefined, 1000);
