import { watchFolder } from '../../../src-main/infra/watch/folder-watcher.ts';
import { silentLog } from '../../support/silent-log.ts';

/** Watches the folder named on the command line and prints states and batches, one per line, until it is killed. */
watchFolder({
  root: process.argv[2] ?? '',
  exclude: [],
  settle_ms: 50,
  quiet_ms: 50,
  poll_ms: 50,
  log: silentLog,
  signal: new AbortController().signal,
  known: async function* () {
    yield [];
  },
  onBatch: async (changes) => console.log(JSON.stringify(changes)),
  onState: (state, problem) => console.log(JSON.stringify([state, problem?.code])),
});
