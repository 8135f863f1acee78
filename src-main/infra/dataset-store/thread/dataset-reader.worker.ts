import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { GenerationReader } from './generation-reader.ts';
import type { Needs } from './needs.ts';
import type { ReaderStart } from './store-location.ts';

/** Entry of a reader thread. */
let opened: GenerationReader | undefined;

function open(): GenerationReader {
  opened ??= new GenerationReader(workerData as ReaderStart);
  return opened;
}

/** Opens the dataset with the first chunk: an error then reaches the call. */
function* prepare(needs: Needs): Generator<unknown> {
  yield* open().prepare(needs);
}

serveThread({
  methods: () => [open().methods],
  inOrder: true,
  around: (run) => open().atOneMoment(run),
  ahead: (key, args) => {
    const needs = GenerationReader.needsOf(key, args);
    return needs && prepare(needs);
  },
  asError: asAppError,
  onClose: () => opened?.close(),
});
